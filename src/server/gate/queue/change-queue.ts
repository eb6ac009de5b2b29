import { and, eq, ne } from 'drizzle-orm';
import type { JoinQueue, QueueEntryChange } from '#contract/gate/queue/schemas.ts';
import { GROUP_LIMIT } from '#contract/limits.ts';
import { countPassengers, priceCheapest } from '#domain/fares/fares.ts';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import type { Database } from '#server/database/database.ts';
import { queueEntries } from '#server/database/schema/gate.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { loadPriceInputs } from '#server/sailings/price-inputs.ts';
import { createFareBook } from '#server/sailings/search.ts';
import { type BoatRow, lockBoat } from '../boats.ts';
import { leaveBehind } from './leave-behind.ts';

type Dependencies = Pick<Context, 'db' | 'clock'>;

/**
 * Adds a party to the end of a sailing's queue.
 * @returns its id
 * @throws {ApiError} not_found, sailing_not_boarding, or why such a party cannot be sold a ticket
 */
export async function joinQueue(
  { db, clock }: Dependencies,
  { sailingId, input }: { sailingId: string; input: JoinQueue },
): Promise<string> {
  const { plate, label, phone, ...requested } = input;
  const party = { ...requested, passengers: requested.passengers.filter(({ count }) => count > 0) };
  await assertSellable(db, sailingId, party);
  const now = clock.now();
  const id = newId('que');
  await inTransaction(db, async (tx) => {
    assertBoards(await lockBoat(tx, sailingId));
    await tx.insert(queueEntries).values({
      ...{ id, sailingId, status: 'waiting', party, plate, label, phone },
      ...{ people: countPassengers(party), vehicles: party.vehicle === null ? 0 : 1 },
      ...{ arrivedAt: now, insertedAt: now, updatedAt: now },
    });
  });
  return id;
}

/**
 * Calls, serves or removes a party, or takes that back.
 * @returns the sailing that it waits for
 * @throws {ApiError} not_found, also of a party that was left behind; sailing_not_boarding
 */
export async function changeQueueEntry(
  { db, clock }: Dependencies,
  { id, status }: { id: string; status: QueueEntryChange },
): Promise<string> {
  return inTransaction(db, async (tx) => {
    const [entry] = await tx.select().from(queueEntries).where(eq(queueEntries.id, id));
    if (!entry) throw notFound();
    assertBoards(await lockBoat(tx, entry.sailingId));
    const [changed] = await tx
      .update(queueEntries)
      .set({ status, updatedAt: clock.now() })
      .where(and(eq(queueEntries.id, id), ne(queueEntries.status, 'left_behind')))
      .returning({ sailingId: queueEntries.sailingId });
    if (!changed) throw notFound();
    return changed.sailingId;
  });
}

/**
 * Leaves the queue of a boat behind before it departs, such as of one that is canceled.
 * @throws {ApiError} not_found
 */
export async function moveQueue({ db, clock }: Dependencies, sailingId: string): Promise<void> {
  const now = clock.now();
  await inTransaction(db, async (tx) => {
    const boat = await lockBoat(tx, sailingId);
    if (boat.length === 0) throw notFound();
    await leaveBehind(tx, { sailingIds: boat.map(({ id }) => id), now });
  });
}

function assertBoards(boat: readonly BoatRow[]): void {
  const [first] = boat;
  if (first === undefined) throw notFound();
  const runs = boat.some(({ status }) => status === 'scheduled');
  if (!runs || first.departedAt !== null) throw new ApiError('sailing_not_boarding');
}

/** @throws {ApiError} why none of the fares covers the party */
async function assertSellable(
  db: Database,
  sailingId: string,
  party: Pick<JoinQueue, 'passengers' | 'vehicle' | 'bicycles'>,
): Promise<void> {
  const { catalogue, sailings } = await loadPriceInputs(db, { sailingIds: [sailingId], promoCode: null });
  const priced = priceCheapest({
    sailings: sailings.map(({ id, serviceDate, route, vessel }) => ({
      ...{ leg: 'out', sailingId: id, serviceDate, route, vessel },
    })),
    party,
    book: createFareBook(catalogue, GROUP_LIMIT),
  });
  if (!priced.ok) throw new ApiError(priced.code, priced.field ? { field: priced.field } : {});
}
