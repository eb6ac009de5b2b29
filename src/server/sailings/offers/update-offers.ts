import { asc, eq, inArray } from 'drizzle-orm';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import type { Database } from '#server/database/database.ts';
import { type SailingOfferRow, sailingOffers } from '#server/database/schema/sailing-offers.ts';
import { type HoldRow, holds } from '#server/database/schema/sales.ts';
import { forEachChunk } from '../bulk.ts';
import { getExpectedTimes } from '../presenter.ts';
import { findTimetable, type TimetableRecord } from '../queries.ts';
import { writeCapacities } from '../write-capacities.ts';
import {
  type BookedWay,
  findOfferReason,
  lockAffectedOrders,
  missesConnection,
  readBookedWays,
} from './affected-ways.ts';
import { endOffer, releaseProtection } from './end-offers.ts';
import { createJourneyFinder, type JourneyFinder, type JourneyLimits } from './find-journeys.ts';
import { protectPlaces } from './protect-places.ts';

type Reason = SailingOfferRow['reason'];

/** An order whose choice has changed. `renewed`: places are protected on another sailing than before, or no longer. */
export type ChangedOffer = { orderId: string; change: Reason | 'renewed' | 'withdrawn' };

/**
 * Makes the choices of passengers what the state of their sailings demands: offers another sailing to those without
 * one, in order of purchase, protects its places, and withdraws offers whose reason is over. Does nothing if nothing
 * has changed since the last call.
 * @param orderIds of orders that a delay may concern; all others are found
 */
export async function updateOffers(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  orderIds: readonly string[] = [],
): Promise<ChangedOffer[]> {
  const now = clock.now();
  const locked = await lockAffectedOrders(tx, orderIds);
  if (locked.length === 0) return [];
  const finder = await createJourneyFinder(tx, now);
  const ways = await readBookedWays(tx, locked);
  const known = await readOffers(tx, locked);
  const state: State = { tx, now, finder, known, arrivals: new Map(), changes: [] };
  const protectedOn = await findProtectedSailings(state);
  await withdrawOffers(state, ways);
  // All broken protections end before places are protected again, so that they count as free.
  await releaseBrokenProtections(state, protectedOn);
  await limitSales(state, protectedOn);
  for (const way of ways) await offerWay(state, way, ways);
  return state.changes;
}

type KnownOffer = { offer: SailingOfferRow; hold: HoldRow | null };

type Protection = Pick<SailingOfferRow, 'holdId' | 'protectedSailingIds'>;

type State = {
  tx: Database;
  now: Date;
  finder: JourneyFinder;
  known: KnownOffer[];
  /** When the protected outbound journeys arrive, by order. */
  arrivals: Map<string, number>;
  changes: ChangedOffer[];
};

/** Offers of some orders, oldest first. */
async function readOffers(tx: Database, orderIds: readonly string[]): Promise<KnownOffer[]> {
  return tx
    .select({ offer: sailingOffers, hold: holds })
    .from(sailingOffers)
    .leftJoin(holds, eq(holds.id, sailingOffers.holdId))
    .where(inArray(sailingOffers.orderId, [...orderIds]))
    .orderBy(asc(sailingOffers.insertedAt));
}

async function findProtectedSailings({ tx, known }: State): Promise<TimetableRecord[]> {
  const open = known.filter(({ offer, hold }) => offer.status === 'open' && hold?.status === 'active');
  return findTimetable(tx, [...new Set(open.flatMap(({ offer }) => offer.protectedSailingIds ?? []))]);
}

function reasonOf({ finder }: State, way: BookedWay): Reason | null {
  return findOfferReason(way, finder.catalogue);
}

function findOpen({ known }: State, { orderId, way }: BookedWay): KnownOffer | undefined {
  return known.find(({ offer }) => offer.orderId === orderId && offer.way === way && offer.status === 'open');
}

function isForBoats({ sailingIds }: SailingOfferRow, { boats }: BookedWay): boolean {
  return sailingIds.join() === boats.map(({ sailingId }) => sailingId).join();
}

/** Ends open offers whose reason is over or another one, or whose boats the order no longer has. */
async function withdrawOffers(state: State, ways: readonly BookedWay[]): Promise<void> {
  for (const each of state.known) {
    const { offer } = each;
    if (offer.status !== 'open') continue;
    const way = ways.find(({ orderId, way: name }) => orderId === offer.orderId && name === offer.way);
    const reason = way ? reasonOf(state, way) : null;
    if (way && isForBoats(offer, way) && reason === offer.reason) continue;
    await endOffer(state.tx, state.now, { offer, status: 'withdrawn' });
    each.offer = { ...offer, status: 'withdrawn' };
    if (way && reason === null) state.changes.push({ orderId: offer.orderId, change: 'withdrawn' });
  }
}

/** Ends protections on sailings that are canceled, withdrawn or have less room than is taken. */
async function releaseBrokenProtections(
  { tx, known }: State,
  protectedOn: readonly TimetableRecord[],
): Promise<void> {
  const isGood = (id: string) => {
    const sailing = protectedOn.find((each) => each.id === id);
    return sailing?.status === 'scheduled' && !sailing.withdrawn && !sailing.oversubscribed;
  };
  for (const each of known) {
    const { offer, hold } = each;
    if (offer.status !== 'open' || hold?.status !== 'active') continue;
    if (offer.protectedSailingIds?.every(isGood)) continue;
    await releaseProtection(tx, offer);
    each.hold = { ...hold, status: 'released' };
  }
}

/** Released places of a boat that has less room than was taken are not for sale. */
async function limitSales({ tx, now }: State, protectedOn: readonly TimetableRecord[]): Promise<void> {
  const voyageIds = protectedOn
    .filter(({ oversubscribed }) => oversubscribed)
    .map(({ voyageId }) => voyageId);
  await forEachChunk([...new Set(voyageIds)], (list) => writeCapacities(tx, list, now));
}

/** Makes a way's offer, or protects other places if those of its offer had to be released. */
async function offerWay(state: State, way: BookedWay, ways: readonly BookedWay[]): Promise<void> {
  const open = findOpen(state, way);
  if (open && open.hold?.status !== 'released') return;
  const reason = reasonOf(state, way);
  const departs = way.boats[0]?.departsAt;
  const isAnswered = state.known.some(
    ({ offer }) => offer.status !== 'open' && offer.status !== 'withdrawn' && isForWay(offer, way),
  );
  if (reason === null || !departs || departs <= state.now || (!open && isAnswered)) return;
  const terms = open?.offer ?? findTerms(state, reason, departs);
  const protection = await protect(state, way, {
    limits: findLimits(state, way, ways, reason),
    until: terms.deadline,
  });
  if (open) await renewOffer(state, open.offer, protection);
  else await addOffer(state, way, { reason, ...terms, ...protection });
}

async function protect(
  { tx, now, finder, arrivals }: State,
  way: BookedWay,
  { limits, until }: { limits: JourneyLimits; until: Date },
): Promise<Protection> {
  const found = await protectPlaces(tx, { way, finder, limits, until, now });
  const last = found?.journey.at(-1);
  if (!found || !last) return { holdId: null, protectedSailingIds: null };
  if (way.way === 'out') arrivals.set(way.orderId, getExpectedTimes(last).arrivesAt);
  return { holdId: found.holdId, protectedSailingIds: found.journey.map(({ id }) => id) };
}

function isForWay(offer: SailingOfferRow, way: BookedWay): boolean {
  return offer.orderId === way.orderId && offer.way === way.way && isForBoats(offer, way);
}

type Terms = Pick<SailingOfferRow, 'deadline' | 'ifUnanswered'>;

/**
 * A canceled sailing is refunded at the deadline. One that runs ends the choice with its departure, and tickets that
 * were not answered for stay valid then.
 */
function findTerms({ finder, now }: State, reason: Reason, departs: Date): Terms {
  const deadline = new Date(now.getTime() + finder.catalogue.feed.choiceHours * 3_600_000);
  if (reason === 'sailing_cancelled') return { deadline, ifUnanswered: 'refund' };
  if (deadline >= departs) return { deadline: departs, ifUnanswered: 'keep' };
  return { deadline, ifUnanswered: reason === 'no_room' ? 'refund' : 'keep' };
}

/** After the booked departure, within what the other way allows, and sooner than a late boat that will be reached. */
function findLimits(state: State, way: BookedWay, ways: readonly BookedWay[], reason: Reason): JourneyLimits {
  const limits: number[] = [];
  const last = way.boats.at(-1);
  const isReached = !missesConnection(way, state.finder.catalogue);
  if (reason === 'sailing_delayed' && isReached && last) limits.push(getExpectedTimes(last).arrivesAt - 1);
  const back =
    way.way === 'out' && ways.find(({ orderId, way: name }) => orderId === way.orderId && name === 'back');
  if (back && reasonOf(state, back) !== 'sailing_cancelled')
    limits.push(back.boats[0]?.departsAt.getTime() ?? 0);
  const arrived = way.way === 'back' ? (state.arrivals.get(way.orderId) ?? 0) : 0;
  return {
    after: Math.max(way.boats[0]?.departsAt.getTime() ?? 0, arrived),
    arrivesUntil: Math.min(...limits, Number.POSITIVE_INFINITY),
  };
}

async function addOffer(
  { tx, now, changes }: State,
  { orderId, way, boats }: BookedWay,
  offer: Terms & Protection & { reason: Reason },
): Promise<void> {
  await tx.insert(sailingOffers).values({
    id: newId('off'),
    ...{ orderId, way, ...offer },
    sailingIds: boats.map(({ sailingId }) => sailingId),
    insertedAt: now,
    updatedAt: now,
  });
  changes.push({ orderId, change: offer.reason });
}

async function renewOffer(
  { tx, now, changes }: State,
  { id, orderId, protectedSailingIds: before }: SailingOfferRow,
  protection: Protection,
): Promise<void> {
  await tx
    .update(sailingOffers)
    .set({ ...protection, updatedAt: now })
    .where(eq(sailingOffers.id, id));
  if (before?.join() !== protection.protectedSailingIds?.join()) changes.push({ orderId, change: 'renewed' });
}
