import { asc, eq, sql } from 'drizzle-orm';
import { isConnectionMissed } from '#domain/sailings/connections.ts';
import { getExpectedTimes } from '#domain/sailings/expected-times.ts';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import type { Database } from '#server/database/database.ts';
import { type HoldRow, holds } from '#server/database/schema/holds.ts';
import { type RebookingOfferRow, rebookingOffers } from '#server/database/schema/rebooking-offers.ts';
import { forEachChunk, upsertRows } from '../bulk.ts';
import { type CatalogueRecord, findTimetable, loadCatalogue, type TimetableRecord } from '../queries.ts';
import { writeCapacities } from '../write-capacities.ts';
import {
  type BookedJourney,
  findEarliestBoarding,
  findOfferReason,
  hasLeft,
  isForBoats,
  isForWholeJourney,
  lockAffectedOrders,
  missesConnection,
  readBookedJourneys,
} from './booked-journeys.ts';
import { endOffers, releaseProtections } from './end-offers.ts';
import {
  createJourneyFinder,
  type Journey,
  type JourneyFinder,
  type JourneyLimits,
} from './find-journeys.ts';
import { holdAll } from './protect-places.ts';

type Reason = RebookingOfferRow['reason'];

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
  const journeys = await readBookedJourneys(tx, locked, now);
  const offers = await readOffers(tx, locked);
  const state: State = {
    ...{ tx, now, offers },
    catalogue: await loadCatalogue(tx),
    journeys: new Map(journeys.map((booked) => [describe(booked), booked])),
    offersOfJourney: Map.groupBy(offers, ({ offer }) => describe(offer)),
    protectedOn: await findProtectedSailings(tx, offers),
  };
  const withdrawn = await withdrawOffers(state);
  // All broken protections end before places are protected again, so that they count as free.
  await releaseBrokenProtections(state);
  await limitSales(state);
  const made = await makeOffers(
    state,
    journeys.flatMap((booked) => findDemand(state, booked)),
  );
  return [...withdrawn, ...made];
}

type OfferWithHold = { offer: RebookingOfferRow; hold: Pick<HoldRow, 'status'> | null };

type State = {
  tx: Database;
  now: Date;
  catalogue: CatalogueRecord;
  /** By `describe`. */
  journeys: ReadonlyMap<string, BookedJourney>;
  /** Oldest first. */
  offers: readonly OfferWithHold[];
  /** By `describe`, oldest first. */
  offersOfJourney: ReadonlyMap<string, OfferWithHold[]>;
  /** The sailings with protected places, by id. */
  protectedOn: ReadonlyMap<string, TimetableRecord>;
};

/** A key for a journey among those of all orders. */
function describe({ orderId, direction }: Pick<BookedJourney, 'orderId' | 'direction'>): string {
  return `${orderId} ${direction}`;
}

/** Offers of some orders, oldest first. */
async function readOffers(tx: Database, orderIds: readonly string[]): Promise<OfferWithHold[]> {
  const list = sql`(select jsonb_array_elements_text(${JSON.stringify(orderIds)}::jsonb))`;
  return tx
    .select({ offer: rebookingOffers, hold: { status: holds.status } })
    .from(rebookingOffers)
    .leftJoin(holds, eq(holds.id, rebookingOffers.holdId))
    .where(sql`${rebookingOffers.orderId} in ${list}`)
    .orderBy(asc(rebookingOffers.insertedAt));
}

async function findProtectedSailings(
  tx: Database,
  offers: readonly OfferWithHold[],
): Promise<ReadonlyMap<string, TimetableRecord>> {
  const ids = offers.filter(isProtected).flatMap(({ offer }) => offer.protectedSailingIds ?? []);
  const protectedSailings = await findTimetable(tx, [...new Set(ids)]);
  return new Map(protectedSailings.map((sailing) => [sailing.id, sailing]));
}

function isProtected({ offer, hold }: OfferWithHold): boolean {
  return offer.status === 'open' && hold?.status === 'active';
}

/** Ends open offers whose reason no longer applies or has changed, or whose boats are no longer in the order. */
async function withdrawOffers({ tx, now, catalogue, journeys, offers }: State): Promise<ChangedOffer[]> {
  const ended: RebookingOfferRow[] = [];
  const changes: ChangedOffer[] = [];
  for (const offerWithHold of offers) {
    const { offer } = offerWithHold;
    if (offer.status !== 'open') continue;
    const booked = journeys.get(describe(offer));
    const reason = booked ? findOfferReason(asOffered(offer, booked), catalogue) : null;
    if (booked && isForBoats(offer, booked) && reason === offer.reason) continue;
    ended.push(offer);
    offerWithHold.offer = { ...offer, status: 'withdrawn' };
    if (booked && reason === null) changes.push({ orderId: offer.orderId, change: 'withdrawn' });
  }
  await endOffers(tx, { offers: ended, status: 'withdrawn', now });
  return changes;
}

/** The journey as it was when its offer was made, so that a departure alone does not end the offer. */
function asOffered(offer: RebookingOfferRow, booked: BookedJourney): BookedJourney {
  return isForWholeJourney(offer, booked)
    ? { ...booked, departed: [], boats: [...booked.departed, ...booked.boats] }
    : booked;
}

/** The finder reads the timetable only if it is needed. `arrivals`: when protected outward journeys arrive, by order. */
type Search = { finder: () => Promise<JourneyFinder>; arrivals: ReadonlyMap<string, number> };

/**
 * Ends protections on sailings that are canceled, withdrawn or have less room than is taken, and on late ones where
 * another journey is better.
 */
async function releaseBrokenProtections(state: State): Promise<void> {
  const { tx, now, offers } = state;
  const search: Search = {
    finder: onFirstUse(() => createJourneyFinder(tx, now)),
    arrivals: findProtectedArrivals(state),
  };
  const broken: OfferWithHold[] = [];
  for (const offerWithHold of offers.filter(isProtected)) {
    if (isBroken(state, offerWithHold) || (await hasBetterJourney(state, offerWithHold, search)))
      broken.push(offerWithHold);
  }
  await releaseProtections(
    tx,
    broken.map(({ offer }) => offer),
  );
  for (const offerWithHold of broken) offerWithHold.hold = { status: 'released' };
}

function isBroken({ protectedOn }: State, { offer }: OfferWithHold): boolean {
  const isGood = (id: string) => {
    const sailing = protectedOn.get(id);
    return sailing?.status === 'scheduled' && !sailing.withdrawn && !sailing.oversubscribed;
  };
  return !offer.protectedSailingIds?.every(isGood);
}

/**
 * Whether the protected journey is late and arrives too late for what the party needs, breaks its own connection, or
 * leaves after another journey with room for the party.
 */
async function hasBetterJourney(
  state: State,
  { offer }: OfferWithHold,
  { finder, arrivals }: Search,
): Promise<boolean> {
  const { journeys, catalogue } = state;
  const journey = findProtectedJourney(state, offer);
  const booked = journeys.get(describe(offer));
  const [first] = journey;
  const last = journey.at(-1);
  if (!booked || !first || !last || journey.every(({ delayMinutes }) => delayMinutes === 0)) return false;
  const limits = findLimits(state, { booked, reason: offer.reason }, arrivals);
  if (getExpectedTimes(last).arrivesAt > limits.arrivesUntil || missesTransfer(journey, catalogue))
    return true;
  const [best] = (await (await finder()).list(booked, limits)).flatMap(([boat]) => boat ?? []);
  return best !== undefined && getExpectedTimes(best).departsAt < getExpectedTimes(first).departsAt;
}

/** When protected outward journeys are expected to arrive, by order. */
function findProtectedArrivals(state: State): ReadonlyMap<string, number> {
  const arrivals = new Map<string, number>();
  for (const { offer } of state.offers.filter(isProtected)) {
    const last = findProtectedJourney(state, offer).at(-1);
    if (offer.direction === 'out' && last) arrivals.set(offer.orderId, getExpectedTimes(last).arrivesAt);
  }
  return arrivals;
}

function findProtectedJourney(
  { protectedOn }: State,
  { protectedSailingIds }: RebookingOfferRow,
): TimetableRecord[] {
  return (protectedSailingIds ?? []).flatMap((id) => protectedOn.get(id) ?? []);
}

/** Whether delays leave less time to change between the boats of a journey than the port needs. */
function missesTransfer([first, onward]: readonly TimetableRecord[], { ports }: CatalogueRecord): boolean {
  if (!first || !onward) return false;
  const { transferMinutes } = ports.find(({ id }) => id === first.destination.id) ?? {};
  const inMilliseconds = ({ departsAt, arrivesAt, delayMinutes }: TimetableRecord) => ({
    ...{ departsAt: departsAt.getTime(), arrivesAt: arrivesAt.getTime(), delayMinutes },
  });
  return isConnectionMissed(inMilliseconds(first), inMilliseconds(onward), transferMinutes ?? 0);
}

function onFirstUse<Value>(create: () => Promise<Value>): () => Promise<Value> {
  let created: Promise<Value> | undefined;
  return () => {
    created ??= create();
    return created;
  };
}

/** Released places of a boat that has less room than was taken are not for sale. */
async function limitSales({ tx, now, protectedOn }: State): Promise<void> {
  const voyageIds = [...protectedOn.values()]
    .filter(({ oversubscribed }) => oversubscribed)
    .map(({ voyageId }) => voyageId);
  await forEachChunk([...new Set(voyageIds)], (list) => writeCapacities(tx, list, now));
}

/** A journey that needs an offer. `open`: its offer, whose places had to be released. */
type Demand = Terms & { booked: BookedJourney; reason: Reason; open: RebookingOfferRow | undefined };

function findDemand(state: State, booked: BookedJourney): Demand[] {
  const earlier = state.offersOfJourney.get(describe(booked)) ?? [];
  const open = earlier.find(({ offer }) => offer.status === 'open');
  if (open && open.hold?.status !== 'released') return [];
  const reason = findOfferReason(booked, state.catalogue);
  const [next] = booked.boats;
  const isAnswered = earlier.some(
    ({ offer }) => offer.reason === reason && isAnsweredBy(state, booked, offer),
  );
  if (reason === null || !next || hasLeft(next, state.now) || (!open && isAnswered)) return [];
  // A boat may make up time, so its delay counts only once it should have left.
  const departs = next.departsAt > state.now ? next.departsAt : new Date(getExpectedTimes(next).departsAt);
  const { deadline, ifUnanswered } = open?.offer ?? findTerms(state, { booked, reason, departs });
  return [{ booked, reason, open: open?.offer, deadline, ifUnanswered }];
}

/** Whether an offer for the same reason has ended. On board of a boat that is too late for the next one, it begins again. */
function isAnsweredBy({ catalogue }: State, booked: BookedJourney, offer: RebookingOfferRow): boolean {
  if (offer.status === 'open' || offer.status === 'withdrawn' || !isForBoats(offer, booked)) return false;
  return !isForWholeJourney(offer, booked) || !missesConnection(booked, catalogue);
}

/** A demand with the places protected for it, if there are enough. */
type Protected = Demand & { journey: Journey | null };

/** Protects places for each demand, as far as there is room, and writes the offers. */
async function makeOffers(state: State, demands: readonly Demand[]): Promise<ChangedOffer[]> {
  if (demands.length === 0) return [];
  const { tx, now } = state;
  const protectedDemands = await protectPlaces(state, demands);
  const rows = protectedDemands.map(
    ({ booked, reason, open, deadline, ifUnanswered, journey, holdId }): RebookingOfferRow => {
      const protection = { holdId, protectedSailingIds: journey?.map(({ id }) => id) ?? null };
      if (open) return { ...open, ...protection, updatedAt: now };
      return {
        ...{ id: newId('off'), orderId: booked.orderId, direction: booked.direction, reason, status: 'open' },
        ...{
          sailingIds: booked.boats.map(({ sailingId }) => sailingId),
          ...protection,
          deadline,
          ifUnanswered,
        },
        ...{ openTicketAt: null, remindedAt: null, insertedAt: now, updatedAt: now },
      };
    },
  );
  await upsertRows(tx, rebookingOffers, [rebookingOffers.id], rows);
  return rows.flatMap(({ orderId, protectedSailingIds }, index): ChangedOffer[] => {
    const demand = demands[index];
    if (!demand?.open) return demand ? [{ orderId, change: demand.reason }] : [];
    const isSame = demand.open.protectedSailingIds?.join() === protectedSailingIds?.join();
    return isSame ? [] : [{ orderId, change: 'renewed' }];
  });
}

/** How often buyers may take places between a search and its result until a sale on each boat is blocked. */
const SEARCHES = 20;

/**
 * Finds journeys in memory, in order of purchase, and takes all their places at once. So the capacity of a boat is
 * locked only shortly, and never that of boats without protected places.
 */
async function protectPlaces(
  state: State,
  demands: readonly Demand[],
): Promise<(Protected & { holdId: string | null })[]> {
  const { tx, now } = state;
  for (let searches = 0; searches < SEARCHES; searches += 1) {
    const finder = await createJourneyFinder(tx, now);
    const protectedDemands = await findRoom(state, demands, finder);
    const protections = protectedDemands.flatMap(({ booked, journey, deadline }) =>
      journey ? [{ booked, journey, until: deadline }] : [],
    );
    const holdIds = await holdAll(tx, protections, { finder, now });
    if (holdIds) {
      const ids = holdIds.values();
      return protectedDemands.map((each) => ({
        ...each,
        holdId: each.journey && (ids.next().value ?? null),
      }));
    }
  }
  throw new Error('Places of other sailings could not be protected, because all were sold meanwhile.');
}

async function findRoom(
  state: State,
  demands: readonly Demand[],
  finder: JourneyFinder,
): Promise<Protected[]> {
  const arrivals = new Map<string, number>();
  const protectedDemands: Protected[] = [];
  for (const demand of demands) {
    const { booked } = demand;
    const journey = await finder.reserve(booked, findLimits(state, demand, arrivals));
    const last = journey?.at(-1);
    if (last && booked.direction === 'out') arrivals.set(booked.orderId, getExpectedTimes(last).arrivesAt);
    protectedDemands.push({ ...demand, journey });
  }
  return protectedDemands;
}

type Terms = Pick<RebookingOfferRow, 'deadline' | 'ifUnanswered'>;

/**
 * A canceled sailing is refunded at the deadline. One that runs ends the choice with its departure, unless its party is
 * on a boat that arrives too late for it. Tickets that were not answered for stay valid then.
 */
function findTerms(
  { catalogue, now }: State,
  { booked, reason, departs }: { booked: BookedJourney; reason: Reason; departs: Date },
): Terms {
  const deadline = new Date(now.getTime() + catalogue.feed.choiceHours * 3_600_000);
  if (reason === 'sailing_canceled') return { deadline, ifUnanswered: 'refund' };
  if (booked.departed.length > 0 && missesConnection(booked, catalogue))
    return { deadline, ifUnanswered: 'keep' };
  if (deadline >= departs) return { deadline: departs, ifUnanswered: 'keep' };
  return { deadline, ifUnanswered: reason === 'no_room' ? 'refund' : 'keep' };
}

/**
 * After the booked departure, within what the other way allows, and sooner than a late boat that will be reached.
 * @param arrivals when the protected outward journeys arrive, by order
 */
function findLimits(
  { journeys, catalogue, now }: State,
  { booked, reason }: Pick<Demand, 'booked' | 'reason'>,
  arrivals: ReadonlyMap<string, number>,
): JourneyLimits {
  const { orderId, boats } = booked;
  const limits: number[] = [];
  const last = boats.at(-1);
  const isReached = !missesConnection(booked, catalogue);
  if (reason === 'sailing_delayed' && isReached && last) limits.push(getExpectedTimes(last).arrivesAt - 1);
  const back = booked.direction === 'out' && journeys.get(describe({ orderId, direction: 'back' }));
  if (back && findOfferReason(back, catalogue) !== 'sailing_canceled')
    limits.push(back.boats[0]?.departsAt.getTime() ?? 0);
  const arrived = booked.direction === 'back' ? (arrivals.get(orderId) ?? 0) : 0;
  return {
    after: Math.max(
      now.getTime(),
      boats[0]?.departsAt.getTime() ?? 0,
      arrived,
      // "After" excludes the minute in which the party can board.
      findEarliestBoarding(booked, catalogue) - 1,
    ),
    arrivesUntil: Math.min(...limits, Number.POSITIVE_INFINITY),
  };
}
