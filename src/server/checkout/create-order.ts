import { isDeepStrictEqual } from 'node:util';
import { eq, sql } from 'drizzle-orm';
import type { QuoteRequest } from '#contract/checkout/schemas.ts';
import type { WebSettings } from '#contract/settings/schemas.ts';
import { countPassengers } from '#domain/fares/fares.ts';
import type { Context } from '../context.ts';
import { batched } from '../database/batched.ts';
import { perDatabase } from '../database/per-database.ts';
import { type HoldRow, holds, type OrderRow, orders } from '../database/schema/sales.ts';
import { feed, promoCodes, sailings, voyages } from '../database/schema/timetable.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError, nullIfRefused } from '../http/api-error.ts';
import { requireClaimedKey } from '../http/idempotency.ts';
import { readAssistance } from '../orders/assistance.ts';
import { confirmFreeOrder, lockOrder } from '../orders/confirm-order.ts';
import { type OrderRecord, requireOrder } from '../orders/queries.ts';
import { requireTravelers } from '../orders/traveler-names.ts';
import { isUnpaid } from '../orders/unpaid.ts';
import {
  joinPriceFacts,
  joinsOfPrice,
  listKnownFacts,
  listWantedPrices,
  priceFields,
  type WantedPrice,
} from '../sailings/price-facts.ts';
import { loadWebSettings, recallWebSettings, settingsVersion } from '../settings/web-settings.ts';
import { requireActive } from './holds.ts';
import { requirePlate } from './plate.ts';
import { getWantedPrice, requireOffered } from './pricing.ts';
import { readOffer, repriceOffer } from './quotes.ts';
import { recallHold } from './recent-holds.ts';
import { type Answering, type NewOrder, type OrderInput, writeOrder } from './write-order.ts';

/**
 * Writes the order of a hold, once: a repeated call returns the same order and, while it is unpaid, updates contact,
 * plate and names. An order that costs nothing is confirmed at once.
 * @param answering how the current order is answered
 * @throws {ApiError} not_found (of `hold_id`: the places can be taken again with the same quote), hold_expired,
 * price_changed, terms_outdated, plate_required, promo_used_up, order_closed
 */
export async function createOrder<Answer>(
  context: Context,
  input: NewOrder,
  answering: Answering<Answer>,
): Promise<Answer> {
  const written = await nullIfRefused(orderRecentHold(context, input, answering));
  return written ?? orderStoredHold(context, input, answering);
}

/**
 * Writes the order with what this process remembers of hold, prices and settings, if the statement finds them unchanged.
 * @returns null if it does not remember them, or if the order was not written
 */
async function orderRecentHold<Answer>(
  context: Context,
  input: NewOrder,
  answering: Answering<Answer>,
): Promise<Answer | null> {
  const { db, clock } = context;
  const recent = recallHold(db, input.hold_id);
  const web = recallWebSettings(db);
  if (recent?.quoteId !== input.quote_id || !web) return null;
  const { hold, sale, facts } = recent;
  requireOffered(hold.request, facts, clock.now());
  const checked = await checkOrder(context, input, { hold, settings: web.settings });
  const known = { hold, facts: listKnownFacts(facts), settingsVersion: web.version };
  return writeOrder(context, { sale, hold, input: checked, known }, answering);
}

async function orderStoredHold<Answer>(
  context: Context,
  input: NewOrder,
  answering: Answering<Answer>,
): Promise<Answer> {
  const { present, store } = answering;
  const { request } = readOffer(context, input.quote_id);
  const { hold, existing, version, facts } = await readOrderFacts(context, input.hold_id, request);
  if (existing) requireClaimedKey(store);
  if (existing?.status === 'confirmed' || existing?.status === 'completed') {
    return present(await requireOrder(context, existing.id), false);
  }
  await requireActive(context, hold);
  const settings = await loadWebSettings(context, version);
  const checked = await checkOrder(context, input, { hold, settings });
  if (!isDeepStrictEqual(request, hold.request)) {
    throw new ApiError('invalid_input', {
      field: 'quote_id',
      message: 'That price is for another trip than the places held.',
    });
  }
  if (existing) return present(await renewOrder(context, existing, checked), true);
  const offer = { request, fingerprint: hold.priceFingerprint };
  const sale = await repriceOffer(context, offer, await facts());
  const written = await writeOrder(context, { sale, hold, input: checked }, answering);
  if (written !== null) return written;
  // If the form was sent twice concurrently, the other request wrote the order.
  requireClaimedKey(store);
  const { existing: other } = await readOrderFacts(context, input.hold_id, request);
  if (!other) throw new ApiError('hold_expired');
  if (other.total === 0) await confirmFreeOrder(context, other.id);
  return present(await requireOrder(context, other.id), true);
}

/**
 * Checks the form against the hold and the terms in effect.
 * @returns the form as it is stored
 */
async function checkOrder(
  context: Context,
  input: NewOrder,
  { hold, settings }: { hold: HoldRow; settings: WebSettings },
): Promise<OrderInput> {
  const { terms, language } = settings;
  if (input.terms_version !== terms.version) {
    throw new ApiError('terms_outdated', { details: { terms_version: terms.version } });
  }
  await requirePlate(context.db, { vehicle: hold.request.vehicle, plate: input.plate }, settings);
  const travelers = countPassengers(hold.request);
  requireTravelers(input.traveler_names, travelers);
  const assistance = await readAssistance(context, input.assistance, { travelers });
  return { ...input, assistance, locale: input.locale ?? language };
}

type KnownOrder = Pick<OrderRow, 'id' | 'status' | 'total'>;

async function renewOrder(
  context: Context,
  { id, total }: KnownOrder,
  input: OrderInput,
): Promise<OrderRecord> {
  await renewContact(context, id, input);
  if (total === 0) await confirmFreeOrder(context, id);
  return requireOrder(context, id);
}

async function renewContact(
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

/**
 * The hold with its order, and what the order's price depends on, in one query, which concurrent requests share.
 * @throws {ApiError} not_found, naming `hold_id`
 */
async function readOrderFacts({ db }: Context, holdId: string, request: QuoteRequest) {
  const wanted = getWantedPrice(request);
  const rows = await readRows(db)({ holdId, ...wanted });
  const [first] = rows;
  // Sailings with holds are never deleted, so a missing sailing has no hold either.
  if (!first?.hold) throw new ApiError('not_found', { field: 'hold_id' });
  const { hold, existing, version } = first;
  return { hold, existing, version, facts: () => joinPriceFacts(db, rows, wanted) };
}

const readRows = perDatabase((db) => {
  // Looked up by index, even by a plan that is older than most holds.
  const held = db.select().from(holds).where(sql`${holds.id} = w.item ->> 'holdId'`).limit(1).as('held');
  const query = db
    .select({
      ...priceFields,
      hold: held._.selectedFields,
      existing: { id: orders.id, status: orders.status, total: orders.total },
      version: settingsVersion,
    })
    .from(sailings)
    .innerJoin(joinsOfPrice.wanted, joinsOfPrice.sailings)
    .innerJoin(voyages, joinsOfPrice.voyages)
    .innerJoin(feed, joinsOfPrice.feed)
    .leftJoin(promoCodes, joinsOfPrice.promo)
    .leftJoinLateral(held, sql`true`)
    .leftJoin(orders, eq(orders.holdId, held.id))
    .prepare('order_facts');
  return batched(async (wanted: readonly (WantedPrice & { holdId: string })[]) => {
    const rows = await query.execute(listWantedPrices(wanted));
    return wanted.map((_, item) => rows.filter((row) => row.item === item));
  });
});
