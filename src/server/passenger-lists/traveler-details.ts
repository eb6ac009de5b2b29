import { and, eq, inArray, sql } from 'drizzle-orm';
import { PERSON_NAME_LENGTH } from '#contract/limits.ts';
import type { DetailsState, SetTravelerDetails, TravelerDetails } from '#contract/passenger-lists/schemas.ts';
import { listTravelers } from '#domain/orders/travelers.ts';
import { isBirthDate } from '#domain/passenger-lists/birth-date.ts';
import { isDay } from '#domain/time/days.ts';
import type { Context } from '../context.ts';
import type { Database } from '../database/database.ts';
import { passengerDetails } from '../database/schema/passenger-lists.ts';
import { orders } from '../database/schema/sales.ts';
import { inTransaction } from '../database/transactions.ts';
import { ApiError, notFound } from '../http/api-error.ts';
import { type Caller, requireBuyer } from '../orders/buyer.ts';
import { lockOrder } from '../orders/confirm-order.ts';
import { type OrderRecord, requireOrder } from '../orders/queries.ts';
import { UNPAID } from '../orders/unpaid.ts';
import { operatorDay } from '../sailings/operator.ts';
import { presentSailingTimes } from '../sailings/presenter.ts';

/**
 * Whose details an order still lacks.
 * @throws {ApiError} not_found for an order without a sailing whose passenger list the law asks for
 */
export async function readDetailsState(context: Context, orderId: string): Promise<DetailsState> {
  return presentState(context, await requireListedOrder(context, orderId));
}

/**
 * Stores details of travelers, whose names also appear on their tickets.
 * @throws {ApiError} not_found; change_not_allowed for callers who are not the buyer; order_closed once check-in has
 * closed; invalid_input for a traveler that the order does not have, or a impossible date of birth
 */
export async function setDetails(
  context: Context,
  { orderId, travelers, ...caller }: Pick<SetTravelerDetails, 'travelers'> & Caller & { orderId: string },
): Promise<DetailsState> {
  const record = await requireListedOrder(context, orderId);
  requireBuyer(context, record.order, caller);
  const numbers = listNumbers(record);
  const isKnown = travelers.every(({ traveler }) => numbers.includes(traveler));
  if (!isKnown) throw new ApiError('invalid_input', { field: 'travelers' });
  await requireBirthDates(
    context,
    travelers.map(({ details }) => details),
  );
  await inTransaction(context.db, async (tx) => {
    const order = await lockOrder(tx, orderId);
    if (!order) throw notFound();
    requireBuyer(context, order, caller);
    const isOpen = OPEN_STATUSES.includes(order.status) && context.clock.now() < closesAt(record);
    if (!isOpen) throw new ApiError('order_closed');
    for (const each of travelers) await storeDetails(tx, context, { orderId, ...each });
  });
  return presentState(context, record);
}

const OPEN_STATUSES: readonly string[] = [...UNPAID, 'confirmed', 'partly_canceled'];

/** @throws {ApiError} invalid_input */
export async function requireBirthDates(
  context: Pick<Context, 'db' | 'clock'>,
  details: readonly Pick<TravelerDetails, 'birth_date'>[],
): Promise<void> {
  const today = await operatorDay(context);
  const isPossible = details.every(({ birth_date }) => isDay(birth_date) && isBirthDate(birth_date, today));
  if (!isPossible) throw new ApiError('invalid_input', { field: 'birth_date' });
}

type NewDetails = { orderId: string; traveler: number; details: TravelerDetails };

/** Stores the details of one traveler of an order that the caller has locked. */
export async function storeDetails(
  tx: Database,
  { vault, clock }: Pick<Context, 'vault' | 'clock'>,
  { orderId, traveler, details }: NewDetails,
): Promise<void> {
  const now = clock.now();
  const stored = { encryptedDetails: vault.encrypt(JSON.stringify(details)), updatedAt: now };
  await tx
    .insert(passengerDetails)
    .values({ orderId, traveler, ...stored })
    .onConflictDoUpdate({ target: [passengerDetails.orderId, passengerDetails.traveler], set: stored });
  const [order] = await tx
    .select({ travelerNames: orders.travelerNames })
    .from(orders)
    .where(eq(orders.id, orderId));
  const names = order?.travelerNames ?? [];
  const name = `${details.forenames} ${details.family_name}`.slice(0, PERSON_NAME_LENGTH);
  const travelerNames = Array.from({ length: Math.max(names.length, traveler) }, (_, index) =>
    index === traveler - 1 ? name : (names[index] ?? ''),
  );
  await tx
    .update(orders)
    .set({ travelerNames, version: sql`${orders.version} + 1`, updatedAt: now })
    .where(eq(orders.id, orderId));
}

/** The details of an order's travelers by number, for exports of the person's data. */
export async function exportDetails(
  { db, vault }: Pick<Context, 'db' | 'vault'>,
  orderId: string,
): Promise<{ traveler: number; details: TravelerDetails }[]> {
  const rows = await db
    .select()
    .from(passengerDetails)
    .where(eq(passengerDetails.orderId, orderId))
    .orderBy(passengerDetails.traveler);
  return rows.map(({ traveler, encryptedDetails }) => ({
    traveler,
    details: readDetails(vault, encryptedDetails),
  }));
}

export function readDetails(vault: Context['vault'], encrypted: string): TravelerDetails {
  return JSON.parse(vault.decrypt(encrypted)) as TravelerDetails;
}

async function requireListedOrder(context: Context, orderId: string): Promise<OrderRecord> {
  const record = await requireOrder(context, orderId);
  if (listListed(record).length === 0) throw notFound();
  return record;
}

function listListed({ legs }: OrderRecord): OrderRecord['legs'] {
  return legs.filter(({ sailing }) => sailing.route.needsPassengerList);
}

/** When check-in of the last sailing with a list closes. */
function closesAt(record: OrderRecord): Date {
  const hasVehicle = record.order.vehicle !== null;
  const closes = listListed(record).map(({ sailing }) =>
    Date.parse(presentSailingTimes(sailing, { hasVehicle }).check_in_closes_at),
  );
  return new Date(Math.max(...closes));
}

/** The numbers of the travelers: of their tickets or, before there are any, of the fare lines. */
function listNumbers({ lines, tickets }: OrderRecord): number[] {
  const valid = tickets.filter(
    ({ kind, status }) => kind === 'passenger' && status !== 'canceled' && status !== 'replaced',
  );
  if (tickets.length > 0)
    return [...new Set(valid.map(({ partyIndex }) => partyIndex))].toSorted((a, b) => a - b);
  return listTravelers(lines).map((_, index) => index + 1);
}

async function presentState({ db, config }: Context, record: OrderRecord): Promise<DetailsState> {
  const numbers = listNumbers(record);
  const rows = await db
    .select({ traveler: passengerDetails.traveler })
    .from(passengerDetails)
    .where(
      and(eq(passengerDetails.orderId, record.order.id), inArray(passengerDetails.traveler, [0, ...numbers])),
    );
  const entered = new Set(rows.map(({ traveler }) => traveler));
  return {
    missing: numbers.filter((number) => !entered.has(number)),
    entered: numbers.filter((number) => entered.has(number)),
    closes_at: closesAt(record).toISOString(),
    keep_hours: config.keepDays.passengerListHours,
  };
}
