import { randomInt } from 'node:crypto';
import { type SQL, sql } from 'drizzle-orm';
import type { CreateOrder } from '#contract/checkout/schemas.ts';
import { createReference } from '#domain/orders/reference.ts';
import { lockHeldPlaces, sellLockedPlaces } from '../capacity/places.ts';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import { queryRows } from '../database/database.ts';
import type { HoldRow, OrderRow } from '../database/schema/sales.ts';
import { violatedUniqueConstraint, withRetry } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import type { StoreData } from '../http/handle-calls.ts';
import { orderMailStatement } from '../mail/order-mails.ts';
import { wakeMailWorker } from '../mail/outbox.ts';
import { isBoardingCodeTaken } from '../orders/confirm-order.ts';
import { redeemStatement } from '../orders/promo.ts';
import { findLegs, type OrderRecord } from '../orders/queries.ts';
import { confirmedOrder, insertTickets, linesToSell } from '../orders/sell-order.ts';
import { issueTickets } from '../tickets/issue-tickets.ts';
import { buildLineRows, pickSaleColumns } from './order-lines.ts';
import type { Sale } from './pricing.ts';

/** What a signed-in customer or a visitor sent. */
export type NewOrder = CreateOrder & { customerId: string | null };
/** `present`: makes the answer of a record; `store`: stores it with a new order, null if the caller does so. */
export type Answering<Answer> = { present: (record: OrderRecord) => Answer; store: StoreData | null };
/** With the assistance as it is stored. */
export type OrderInput = Omit<NewOrder, 'assistance'> & Pick<OrderRow, 'assistance'>;
type OrderParts = { sale: Sale; hold: HoldRow; input: OrderInput };

/**
 * Writes order, lines, their capacity and the use of the promo code in one statement. An order that costs nothing is
 * confirmed by the same statement: its places are sold, its tickets issued and its mail queued.
 * @returns the answer; null if the hold has ended or already has an order
 * @throws {ApiError} promo_used_up
 */
export async function writeOrder<Answer>(
  context: Context,
  parts: OrderParts,
  answering: Answering<Answer>,
): Promise<Answer | null> {
  try {
    return await withRetry(
      () => tryToWrite(context, parts, answering),
      (error) =>
        isBoardingCodeTaken(error) || (violatedUniqueConstraint(error)?.includes('reference') ?? false),
    );
  } catch (error) {
    if (violatedUniqueConstraint(error)?.includes('hold') !== true) throw error;
    return null;
  }
}

async function tryToWrite<Answer>(
  context: Context,
  parts: OrderParts,
  { present, store }: Answering<Answer>,
): Promise<Answer | null> {
  const { record, capacity } = buildRecord(context, parts);
  const { order } = record;
  const answer = present(record);
  const isConfirmed = order.status === 'confirmed';
  const [written] = await queryRows<{ holds: number; promos: number }>(
    context.db,
    sql`
      with hold as materialized (
        select id from holds
        where id = ${order.holdId} and status = 'active' and expires_at > ${at(order.insertedAt)}
          and price_fingerprint = ${parts.sale.fingerprint}
        for no key update
      ),
      locked as materialized (${isConfirmed ? lockHeldPlaces(sql`hold`) : sql`select id from hold`}),
      promo as (${redeemIfHeld(order)}),
      written as (${insertOrder(order)}),
      lines as (${insertLines(record.lines)}),
      takes as (${insertCapacity(capacity)})
      ${isConfirmed ? confirmation(record) : sql``}
      ${store ? sql`, answer as (${store(answer, sql`written`)})` : sql``}
      select (select count(*) from hold)::int as holds, (select count(*) from promo)::int as promos
    `,
  );
  if (written?.holds !== 1) return null;
  if (written.promos !== 1) throw new ApiError('promo_used_up', { field: 'promo_code' });
  if (isConfirmed) wakeMailWorker(context.jobs);
  return answer;
}

/** The record as it will be once it is written. */
function buildRecord(context: Context, parts: OrderParts) {
  const { sale, hold } = parts;
  const held = buildOrder(context, parts);
  const { lines, capacity } = buildLineRows(held.id, sale);
  const record: OrderRecord = {
    order: held,
    hold,
    lines,
    tickets: [],
    payments: [],
    refunds: [],
    tripCardNumbers: new Map(),
    choiceUntil: null,
    openTickets: new Map(),
    legs: findLegs(lines, sale.sailings),
  };
  if (held.total > 0) return { record, capacity };
  const toSell = linesToSell(record);
  const order = confirmedOrder({ order: held, lines: toSell, places: 'held' }, held.insertedAt);
  const tickets = issueTickets(context, { order, lines: toSell });
  const consumed = { ...hold, status: 'consumed' as const };
  return { record: { ...record, order, hold: consumed, tickets }, capacity };
}

/** Locks the promo code after the capacity, as `database/transactions.ts` says. */
function redeemIfHeld({ promoCode }: OrderRow): SQL {
  if (promoCode === null) return sql`select id from hold`;
  return redeemStatement(promoCode, sql`exists (select 1 from locked)`);
}

function insertOrder(order: OrderRow): SQL {
  const now = at(order.insertedAt);
  return sql`
    insert into orders (
      id, reference, status, payment_status, needs_attention, customer_id, hold_id, contact_name, contact_email,
      contact_phone, traveler_names, assistance, locale, vehicle, plate, currency, subtotal, discount, tax, total, promo_code,
      fare_class_code, fare_class_name, fare_policy, terms_version, terms_accepted_at, confirmed_at, version,
      inserted_at, updated_at
    )
    select ${order.id}, ${order.reference}, ${order.status}, ${order.paymentStatus}, ${order.needsAttention}::text,
      ${order.customerId}::text, hold.id, ${order.contactName}, ${order.contactEmail}, ${order.contactPhone},
      ${JSON.stringify(order.travelerNames)}::jsonb,
      ${order.assistance ? JSON.stringify(order.assistance) : null}::jsonb, ${order.locale},
      ${order.vehicle ? JSON.stringify(order.vehicle) : null}::jsonb, ${order.plate}::text,
      ${order.currency}, ${order.subtotal}::bigint, ${order.discount}::bigint, ${order.tax}::bigint,
      ${order.total}::bigint, ${order.promoCode}::text, ${order.fareClassCode}, ${order.fareClassName},
      ${JSON.stringify(order.farePolicy)}::jsonb, ${order.termsVersion}, ${now},
      ${order.confirmedAt?.toISOString() ?? null}::timestamptz, ${order.version}::int, ${now}, ${now}
    from hold where exists (select 1 from promo)
    returning id, hold_id, contact_email
  `;
}

function insertLines(lines: OrderRecord['lines']): SQL {
  return sql`
    insert into order_lines (
      id, order_id, position, leg, sailing_id, kind, type_code, description, quantity, unit_amount, amount,
      tax_bp, tax
    )
    select l.id, written.id, l.position, l.leg, l."sailingId", l.kind, l."typeCode", l.description,
      l.quantity, l."unitAmount", l.amount, l."taxBp", l.tax
    from written, jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) as l (
      id text, position int, leg text, "sailingId" text, kind text, "typeCode" text, description text,
      quantity int, "unitAmount" bigint, amount bigint, "taxBp" int, tax bigint
    )
  `;
}

function insertCapacity(capacity: ReturnType<typeof buildLineRows>['capacity']): SQL {
  return sql`
    insert into line_capacity (line_id, sailing_id, resource, amount)
    select t."lineId", t."sailingId", t.resource, t.amount
    from written, jsonb_to_recordset(${JSON.stringify(capacity)}::jsonb) as t (
      "lineId" text, "sailingId" text, resource text, amount int
    )
  `;
}

function confirmation({ order, tickets }: OrderRecord): SQL {
  return sql`,
    consumed as (update holds h set status = 'consumed' from written where h.id = written.hold_id),
    places as (${sellLockedPlaces(sql`(select locked.* from locked, written)`)}),
    issued as (${insertTickets(tickets, sql`written`)}),
    mail as (${orderMailStatement('order-confirmed', sql`written`, order.insertedAt)})
  `;
}

function buildOrder(context: Context, { sale, hold, input }: OrderParts): OrderRow {
  const now = context.clock.now();
  return {
    id: newId('ord'),
    reference: createReference((below) => randomInt(below)),
    status: 'held',
    paymentStatus: 'none',
    needsAttention: null,
    notice: '',
    customerId: input.customerId,
    holdId: hold.id,
    contactName: input.contact.name,
    contactEmail: input.contact.email,
    contactPhone: input.contact.phone,
    travelerNames: input.traveler_names ?? [],
    assistance: input.assistance,
    locale: input.locale,
    vehicle: sale.request.vehicle,
    plate: input.plate,
    ...pickSaleColumns(sale),
    paid: 0,
    refunded: 0,
    termsVersion: input.terms_version,
    termsAcceptedAt: now,
    declines: 0,
    confirmedAt: null,
    cancelledAt: null,
    version: 1,
    insertedAt: now,
    updatedAt: now,
  };
}

function at(instant: Date): SQL {
  return sql`${instant.toISOString()}::timestamptz`;
}
