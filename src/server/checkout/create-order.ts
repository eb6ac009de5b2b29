import { randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { eq, sql } from 'drizzle-orm';
import type { CreateOrder } from '#contract/checkout/schemas.ts';
import { countPassengers } from '#domain/fares/fares.ts';
import { createReference } from '#domain/orders/reference.ts';
import type { Context } from '../context.ts';
import { newId } from '../core/ids.ts';
import { rowsOf } from '../database/database.ts';
import { perDatabase } from '../database/per-database.ts';
import { type HoldRow, holds, type OrderRow, orders } from '../database/schema/sales.ts';
import { inTransaction, violatedUniqueConstraint, withRetry } from '../database/transactions.ts';
import { ApiError } from '../http/api-error.ts';
import { confirmFreeOrder, confirmNewOrder, lockOrder } from '../orders/confirm-order.ts';
import { redeemStatement } from '../orders/promo.ts';
import { legsOf, type OrderRecord, requireOrder } from '../orders/queries.ts';
import { requireTravelers } from '../orders/traveler-names.ts';
import { isUnpaid } from '../orders/unpaid.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { requireActive } from './holds.ts';
import { buildLineRows, moneyOf } from './order-lines.ts';
import { requirePlate } from './plate.ts';
import type { Sale } from './pricing.ts';
import { readOffer, repriceOffer } from './quotes.ts';

/**
 * Writes the order of a hold, once: a repeated call returns the same order and, while it is unpaid, updates contact,
 * plate and names. An order that costs nothing is confirmed at once.
 * @returns the current order
 * @throws {ApiError} not_found (of `hold_id`: the places can be taken again with the same quote), hold_expired,
 * price_changed, terms_outdated, plate_required, promo_used_up, order_closed
 */
export async function createOrder(context: Context, input: NewOrder): Promise<OrderRecord> {
  const offer = readOffer(context, input.quote_id);
  const { hold, existing } = await readHoldAndOrder(context, input.hold_id);
  if (existing?.status === 'confirmed' || existing?.status === 'completed') {
    return requireOrder(context, existing.id);
  }
  await requireActive(context, hold);
  const { terms } = await loadWebSettings(context);
  if (input.terms_version !== terms.version) {
    throw new ApiError('terms_outdated', { details: { terms_version: terms.version } });
  }
  await requirePlate(context.db, { vehicle: hold.request.vehicle, plate: input.plate });
  requireTravelers(input.traveler_names, countPassengers(hold.request));
  if (!isDeepStrictEqual(offer.request, hold.request)) {
    throw new ApiError('invalid_input', {
      field: 'quote_id',
      message: 'That price is for another trip than the places held.',
    });
  }
  if (existing) return renewOrder(context, existing, input);
  const promised = { request: offer.request, fingerprint: hold.priceFingerprint };
  const sale = await repriceOffer(context, promised);
  const record = await writeOrderOnce(context, { sale, hold, input });
  if (record?.order.total === 0) {
    const confirmed = await confirmNewOrder(context, record);
    return confirmed ?? requireOrder(context, record.order.id);
  }
  if (record) return record;
  // The form was sent twice concurrently; the other request wrote the order.
  const { existing: other } = await readHoldAndOrder(context, input.hold_id);
  if (!other) throw new ApiError('hold_expired');
  if (other.total === 0) await confirmFreeOrder(context, other.id);
  return requireOrder(context, other.id);
}

type KnownOrder = Pick<OrderRow, 'id' | 'status' | 'total'>;
/** What a signed-in customer or a visitor sent. */
type NewOrder = CreateOrder & { customerId: string | null };
type OrderParts = { sale: Sale; hold: HoldRow; input: NewOrder };

async function renewOrder(
  context: Context,
  { id, total }: KnownOrder,
  input: NewOrder,
): Promise<OrderRecord> {
  await renewContact(context, id, input);
  if (total === 0) await confirmFreeOrder(context, id);
  return requireOrder(context, id);
}

/** @returns null if the hold already has an order */
async function writeOrderOnce(context: Context, parts: OrderParts): Promise<OrderRecord | null> {
  try {
    return await withRetry(
      () => writeOrder(context, parts),
      (error) => violatedUniqueConstraint(error)?.includes('reference') ?? false,
    );
  } catch (error) {
    if (violatedUniqueConstraint(error)?.includes('hold') !== true) throw error;
    return null;
  }
}

/** Writes order, lines, their capacity and the use of the promo code in one statement. */
async function writeOrder(context: Context, parts: OrderParts): Promise<OrderRecord> {
  const { sale, hold } = parts;
  const order = buildOrder(context, parts);
  const now = sql`${order.insertedAt.toISOString()}::timestamptz`;
  const { lines, capacity } = buildLineRows(order.id, sale);
  const promo = order.promoCode;
  const redemption =
    promo === null ? sql`select id from hold` : redeemStatement(promo, sql`exists (select 1 from hold)`);
  const [written] = await rowsOf<{ holds: number; promos: number }>(
    context.db,
    sql`
      with hold as materialized (
        select id from holds
        where id = ${order.holdId} and status = 'active' and expires_at > ${now}
          and price_fingerprint = ${sale.fingerprint}
        for no key update
      ),
      promo as (${redemption}),
      written as (
        insert into orders (
          id, reference, status, payment_status, customer_id, hold_id, contact_name, contact_email,
          contact_phone, traveler_names, locale, vehicle, plate, currency, subtotal, discount, tax, total, promo_code,
          fare_class_code, fare_class_name, fare_policy, terms_version, terms_accepted_at, inserted_at, updated_at
        )
        select ${order.id}, ${order.reference}, ${order.status}, ${order.paymentStatus}, ${order.customerId}::text,
          hold.id, ${order.contactName}, ${order.contactEmail}, ${order.contactPhone},
          ${JSON.stringify(order.travelerNames)}::jsonb, ${order.locale},
          ${order.vehicle ? JSON.stringify(order.vehicle) : null}::jsonb, ${order.plate}::text,
          ${order.currency}, ${order.subtotal}::bigint, ${order.discount}::bigint, ${order.tax}::bigint,
          ${order.total}::bigint, ${promo}::text, ${order.fareClassCode}, ${order.fareClassName},
          ${JSON.stringify(order.farePolicy)}::jsonb, ${order.termsVersion}, ${now}, ${now}, ${now}
        from hold where exists (select 1 from promo)
        returning id
      ),
      lines as (
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
      ),
      takes as (
        insert into line_capacity (line_id, sailing_id, resource, amount)
        select t."lineId", t."sailingId", t.resource, t.amount
        from written, jsonb_to_recordset(${JSON.stringify(capacity)}::jsonb) as t (
          "lineId" text, "sailingId" text, resource text, amount int
        )
      )
      select (select count(*) from hold)::int as holds, (select count(*) from promo)::int as promos
    `,
  );
  if (written?.holds !== 1) throw new ApiError('hold_expired');
  if (written.promos !== 1) throw new ApiError('promo_used_up', { field: 'promo_code' });
  return {
    order,
    hold,
    lines,
    tickets: [],
    payments: [],
    refunds: [],
    tripCardNumbers: new Map(),
    legs: legsOf(lines, sale.sailings),
  };
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
    locale: input.locale,
    vehicle: sale.request.vehicle,
    plate: input.plate,
    ...moneyOf(sale),
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

async function renewContact(
  context: Context,
  orderId: string,
  { contact, plate, traveler_names: travelerNames = [], customerId }: NewOrder,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!order || !isUnpaid(order)) return;
    const change = {
      contactName: contact.name,
      contactEmail: contact.email,
      contactPhone: contact.phone,
      travelerNames,
      plate,
      customerId: order.customerId ?? customerId,
    };
    const isSame = Object.entries(change).every(([key, value]) =>
      isDeepStrictEqual(order[key as keyof typeof change], value),
    );
    if (isSame) return;
    await tx
      .update(orders)
      .set({ ...change, version: order.version + 1, updatedAt: context.clock.now() })
      .where(eq(orders.id, orderId));
  });
}

/** @throws {ApiError} not_found, naming `hold_id` */
async function readHoldAndOrder(
  { db }: Context,
  holdId: string,
): Promise<{ hold: HoldRow; existing: KnownOrder | null }> {
  const [row] = await holdAndOrderQuery(db).execute({ holdId });
  if (!row) throw new ApiError('not_found', { field: 'hold_id' });
  return row;
}

const holdAndOrderQuery = perDatabase((db) =>
  db
    .select({ hold: holds, existing: { id: orders.id, status: orders.status, total: orders.total } })
    .from(holds)
    .leftJoin(orders, eq(orders.holdId, holds.id))
    .where(eq(holds.id, sql.placeholder('holdId')))
    .prepare('hold_and_order'),
);
