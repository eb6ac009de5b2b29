import { isDeepStrictEqual } from 'node:util';
import { eq } from 'drizzle-orm';
import { countPassengers } from '#domain/fares/fares.ts';
import type { Context } from '#server/context.ts';
import { type HoldRow, holds } from '#server/database/schema/holds.ts';
import { orders } from '#server/database/schema/sales.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError } from '#server/http/api-error.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import { readAssistance } from '../assistance.ts';
import { confirmFreeOrder, lockOrder } from '../confirm-order.ts';
import { type OrderRecord, requireOrder } from '../queries.ts';
import { requireTravelers } from '../traveler-names.ts';
import { isUnpaid } from '../unpaid.ts';
import { requireActive } from './holds.ts';
import { requirePlate } from './plate.ts';
import { readQuote, repriceQuote } from './quotes.ts';
import { type NewOrder, type OrderInput, writeOrder } from './write-order.ts';

/** `isPurchase`: false if the order was confirmed before this call. */
export type CreatedOrder = { record: OrderRecord; isPurchase: boolean };

/**
 * Writes the order of a hold, once: a repeated call returns the same order and, while it is unpaid, updates contact,
 * plate and names. An order that costs nothing is confirmed at once.
 * @throws {ApiError} not_found (of `hold_id`: the places can be taken again with the same quote), hold_expired,
 * price_changed, terms_outdated, plate_required, promo_used_up
 */
export async function createOrder(context: Context, input: NewOrder): Promise<CreatedOrder> {
  const { request, language, salePoint } = readQuote(context, input.quote_id);
  const { hold, order } = await readHoldWithOrder(context, input.hold_id);
  if (order?.status === 'confirmed' || order?.status === 'completed') {
    return { record: await requireOrder(context, order.id), isPurchase: false };
  }
  await requireActive(context, hold);
  const checked = await checkOrder(context, input, hold);
  if (!isDeepStrictEqual(request, hold.request)) {
    throw new ApiError('invalid_input', {
      field: 'quote_id',
      reason: 'price_of_another_trip',
    });
  }
  if (order) {
    await updateContact(context, order.id, checked);
    if (order.total === 0) await confirmFreeOrder(context, order.id);
    return { record: await requireOrder(context, order.id), isPurchase: true };
  }
  const sale = await repriceQuote(context, {
    request,
    fingerprint: hold.priceFingerprint,
    language,
    ...(salePoint ? { salePoint } : {}),
  });
  const record = await writeOrder(context, { sale, hold, input: checked });
  // Without a record, another request wrote the order or ended the hold meanwhile.
  return record ? { record, isPurchase: true } : createOrder(context, input);
}

/** @throws {ApiError} not_found, naming `hold_id` */
async function readHoldWithOrder({ db }: Context, holdId: string) {
  const [row] = await db
    .select({ hold: holds, order: { id: orders.id, status: orders.status, total: orders.total } })
    .from(holds)
    .leftJoin(orders, eq(orders.holdId, holds.id))
    .where(eq(holds.id, holdId));
  if (!row) throw new ApiError('not_found', { field: 'hold_id' });
  return row;
}

/**
 * Checks the form against the hold and the terms in effect.
 * @returns the form as it is stored
 */
async function checkOrder(context: Context, input: NewOrder, { request }: HoldRow): Promise<OrderInput> {
  const settings = await loadWebSettings(context);
  const { terms, language } = settings;
  if (input.terms_version !== terms.version) {
    throw new ApiError('terms_outdated', { details: { terms_version: terms.version } });
  }
  await requirePlate(context.db, { vehicle: request.vehicle, plate: input.plate }, settings);
  const travelers = countPassengers(request);
  requireTravelers(input.traveler_names, travelers);
  const assistance = await readAssistance(context, input.assistance, { travelers });
  return { ...input, assistance, locale: input.locale ?? language };
}

async function updateContact(
  context: Context,
  orderId: string,
  { contact, plate, traveler_names: travelerNames = [], assistance, customerId }: OrderInput,
): Promise<void> {
  await inTransaction(context.db, async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!order || !isUnpaid(order)) return;
    const change = {
      contactName: contact.name,
      contactEmail: contact.email,
      contactPhone: contact.phone,
      travelerNames,
      assistance,
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
