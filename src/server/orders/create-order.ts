import { randomInt } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { eq, sql } from 'drizzle-orm';
import type { CreateOrder } from '#contract/purchase.ts';
import { createReference } from '#domain/reference.ts';
import { rowsOf } from '../database/database.ts';
import { orders } from '../database/schema/sales.ts';
import { inTransaction, repeatedly, violatedUniqueConstraint } from '../database/transactions.ts';
import type { Deps } from '../deps.ts';
import { ApiError } from '../http/api-error.ts';
import { newId } from '../ids.ts';
import { loadCatalogue } from '../sailings/queries.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { confirmFreeOrder } from './confirm-order.ts';
import { requireActiveHold } from './holds.ts';
import { buildLineRows, moneyOf } from './order-lines.ts';
import type { Sale } from './pricing.ts';
import { redeemStatement } from './promo.ts';
import { readOffer, repriceOffer } from './quotes.ts';

/**
 * Writes the order of a hold, once: a repeated call answers the same order, with contact and plate as sent
 * last while nothing is paid. An order that costs nothing is confirmed at once.
 * @returns the order's id
 * @throws {ApiError} hold_expired, price_changed, terms_outdated, plate_required, promo_used_up, order_closed
 */
export async function createOrder(
  deps: Deps,
  input: CreateOrder,
  customerId: string | null,
): Promise<string> {
  const offer = readOffer(deps, input.quote_id);
  const existing = await findOrderOfHold(deps, input.hold_id);
  if (existing?.status === 'confirmed' || existing?.status === 'completed') return existing.id;
  const hold = await requireActiveHold(deps, input.hold_id);
  const [{ terms }, { vehicleTypes }] = await Promise.all([loadWebSettings(deps), loadCatalogue(deps.db)]);
  if (input.terms_version !== terms.version) {
    throw new ApiError('terms_outdated', { details: { terms_version: terms.version } });
  }
  const vehicleType = vehicleTypes.find((type) => type.code === hold.request.vehicle?.type);
  if (vehicleType?.plateRequired && input.plate === null) {
    throw new ApiError('plate_required', { field: 'plate' });
  }
  if (!isDeepStrictEqual(offer.request, hold.request)) {
    throw new ApiError('invalid_input', {
      field: 'quote_id',
      message: 'That price is for another trip than the places held.',
    });
  }
  const order = existing ?? (await insertOrder(deps, hold.priceFingerprint, offer, input, customerId));
  if (existing) await renewContact(deps, existing.id, input, customerId);
  if (order.total === 0) await confirmFreeOrder(deps, order.id);
  return order.id;
}

type WrittenOrder = Pick<typeof orders.$inferSelect, 'id' | 'status' | 'total'>;

async function insertOrder(
  deps: Deps,
  priceFingerprint: string,
  { request }: { request: Sale['request'] },
  input: CreateOrder,
  customerId: string | null,
): Promise<WrittenOrder> {
  const sale = await repriceOffer(deps, { request, fingerprint: priceFingerprint });
  try {
    return await repeatedly(
      () => writeOrder(deps, sale, input, customerId),
      (error) => violatedUniqueConstraint(error)?.includes('reference') ?? false,
    );
  } catch (error) {
    if (violatedUniqueConstraint(error)?.includes('hold') !== true) throw error;
    // The same form sent twice at once: the other one wrote the order.
    const existing = await findOrderOfHold(deps, input.hold_id);
    if (!existing) throw error;
    return existing;
  }
}

/** Order, lines, what they take, and the promo code's use, in one statement. */
async function writeOrder(
  deps: Deps,
  sale: Sale,
  input: CreateOrder,
  customerId: string | null,
): Promise<WrittenOrder> {
  const id = newId('ord');
  const now = sql`${deps.clock.now().toISOString()}::timestamptz`;
  const { lines, capacity } = buildLineRows(id, sale);
  const money = moneyOf(sale);
  const { contact } = input;
  const promo = money.promoCode;
  const redemption =
    promo === null ? sql`select id from hold` : redeemStatement(promo, sql`exists (select 1 from hold)`);
  const [written] = await rowsOf<{ holds: number; promos: number }>(
    deps.db,
    sql`
      with hold as materialized (
        select id from holds
        where id = ${input.hold_id} and status = 'active' and expires_at > ${now}
          and price_fingerprint = ${sale.fingerprint}
        for update
      ),
      promo as (${redemption}),
      written as (
        insert into orders (
          id, reference, status, payment_status, customer_id, hold_id, contact_name, contact_email,
          contact_phone, locale, vehicle, plate, currency, subtotal, discount, tax, total, promo_code,
          fare_class_code, fare_class_name, fare_policy, terms_version, terms_accepted_at, inserted_at, updated_at
        )
        select ${id}, ${createReference((below) => randomInt(below))}, 'held', 'none', ${customerId}::text, hold.id,
          ${contact.name}, ${contact.email}, ${contact.phone}, ${input.locale},
          ${sale.request.vehicle ? JSON.stringify(sale.request.vehicle) : null}::jsonb, ${input.plate}::text,
          ${money.currency}, ${money.subtotal}::bigint, ${money.discount}::bigint, ${money.tax}::bigint,
          ${money.total}::bigint, ${promo}::text, ${money.fareClassCode}, ${money.fareClassName},
          ${JSON.stringify(money.farePolicy)}::jsonb, ${input.terms_version}, ${now}, ${now}, ${now}
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
  return { id, status: 'held', total: money.total };
}

async function renewContact(
  deps: Deps,
  orderId: string,
  { contact, plate }: CreateOrder,
  customerId: string | null,
): Promise<void> {
  await inTransaction(deps.db, async (tx) => {
    const [order] = await tx.select().from(orders).where(eq(orders.id, orderId)).for('update');
    if (!order || (order.status !== 'held' && order.status !== 'awaiting_payment')) return;
    const change = {
      contactName: contact.name,
      contactEmail: contact.email,
      contactPhone: contact.phone,
      plate,
      customerId: order.customerId ?? customerId,
    };
    const isSame = Object.entries(change).every(
      ([key, value]) => order[key as keyof typeof change] === value,
    );
    if (isSame) return;
    await tx
      .update(orders)
      .set({ ...change, version: order.version + 1, updatedAt: deps.clock.now() })
      .where(eq(orders.id, orderId));
  });
}

async function findOrderOfHold(deps: Deps, holdId: string): Promise<WrittenOrder | undefined> {
  const [order] = await deps.db
    .select({ id: orders.id, status: orders.status, total: orders.total })
    .from(orders)
    .where(eq(orders.holdId, holdId));
  return order;
}
