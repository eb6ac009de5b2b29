import { sql } from 'drizzle-orm';
import { ASYNC_COMMIT } from '../database/async-commit.ts';
import { batched } from '../database/batched.ts';
import type { Database } from '../database/database.ts';
import { changedFacts, encodeFacts, type KnownFacts } from '../database/facts-version.ts';
import { jsonElements } from '../database/json-elements.ts';
import { perDatabase } from '../database/per-database.ts';
import { prepareRows } from '../database/prepare-rows.ts';
import { createRowLocks } from '../database/row-locks.ts';
import { withRetry } from '../database/transactions.ts';
import { insertResponses, type StoredResponse } from '../http/idempotency.ts';
import { type CountedHit, countHits, type Hit, refuseOverLimit } from '../http/rate-limit.ts';
import { isOnSale, type Places, takeAllOrNone } from './places.ts';

export type NewHold = {
  id: string;
  request: unknown;
  total: number;
  priceFingerprint: string;
  expiresAt: Date;
  expiresAtMax: Date;
  /** Keyed hash of the buyer's network, whose places are limited. */
  network?: string | null;
  now: Date;
};

/** A hold with its places and, if it is stored with them, the response to the request. */
type HoldWithPlaces = NewHold & { places: readonly Places[]; response?: StoredResponse | undefined };

/** `facts`: that the price was calculated with. `hit`: the attempt to count for a limit, null if it has been counted. */
type OfferedHold = HoldWithPlaces & { facts: readonly KnownFacts[]; hit: Hit | null };

/**
 * `refused`: a sailing is off sale or a resource does not suffice. `changed`: the facts of the price have changed, so
 * nothing was taken.
 */
type Outcome = 'taken' | 'refused' | 'changed';

/**
 * Takes all places and writes the hold with the response, or does nothing, in one statement. Holds of concurrent requests
 * share a statement. Commits asynchronously, because buyers of one sailing wait for each other's commits; a later commit
 * for the order also writes the hold to disk. Never call it within a transaction.
 * @returns false if a sailing is off sale or a resource does not suffice
 */
export async function takePlaces(db: Database, hold: HoldWithPlaces): Promise<boolean> {
  return (await takeOfferedPlaces(db, { ...hold, facts: [], hit: null })) === 'taken';
}

/**
 * Like `takePlaces`, if what the price depends on has not changed. Counts the attempt, whatever its outcome.
 * @throws {ApiError} rate_limited
 */
export async function takeOfferedPlaces(db: Database, { hit, ...hold }: OfferedHold): Promise<Outcome> {
  for (let uncounted = hit; ; uncounted = null) {
    const decision = await withRetry(() => takeTogether(db)({ ...hold, hit: uncounted }));
    refuseOverLimit(decision);
    if (decision.isChanged) return 'changed';
    if (decision.fits) return 'taken';
    if (decision.isRefused) return 'refused';
  }
}

/** Sailings whose capacity a statement of holds or orders is changing. */
export const sailingsInUse = perDatabase(() => createRowLocks());

/** `isRefused`: there are too few places even without the other holds of the statement. */
type Decision = CountedHit & { fits: boolean; isRefused: boolean; isChanged: boolean };

/** The first hold of a statement is always decided; the others are decided if all up to them have room. */
const takeTogether = perDatabase((db) => {
  const send = prepareRows<Decision>(
    db,
    sql`
      with async_commit as materialized (${ASYNC_COMMIT}),
      given as materialized (
        select g.* from async_commit, ${jsonElements(sql.placeholder('holds'))} as e (item), jsonb_to_record(e.item) as g (
          item int, id text, network text, request jsonb, total bigint, "priceFingerprint" text,
          "expiresAt" timestamptz, "expiresAtMax" timestamptz, now timestamptz, response jsonb,
          key text, "limit" int, "windowEnd" timestamptz
        )
      ),
      ${countHits(sql`given`)},
      changed as materialized (${changedFacts(sql.placeholder('facts'))}),
      admitted as materialized (
        select item, now from given
        where item not in (select item from changed) and item not in (select item from counted_hits where "isOver")
      ),
      wanted as materialized (
        select w.party, w."sailingId" as sailing_id, w.resource, w.amount, admitted.now
        from ${jsonElements(sql.placeholder('wanted'))} as e (item), jsonb_to_record(e.item) as w (
          party int, "sailingId" text, resource text, amount int
        )
        join admitted on admitted.item = w.party
      ),
      ${takeAllOrNone({ column: 'held', isAllowed: isOnSale(sql`w.now`) })},
      hold as materialized (
        select given.* from given join decision on decision.party = given.item and decision.fits
      ),
      ${INSERT_HOLDS},
      responses as (${insertResponses(sql`hold`)})
      select coalesce(d.fits, false) as fits, coalesce(d.is_refused, true) as "isRefused",
        given.item in (select item from changed) as "isChanged",
        coalesce(h."isOver", false) as "isOver", coalesce(h."secondsLeft", 0) as "secondsLeft"
      from given left join decision d on d.party = given.item left join counted_hits h on h.item = given.item
      order by given.item
    `,
  );
  return batched(
    (holds: readonly OfferedHold[]): Promise<Decision[]> =>
      send({
        holds: JSON.stringify(
          holds.map(({ places: _, facts: __, hit, ...hold }, item) => ({ item, ...hit, ...hold })),
        ),
        facts: encodeFacts(holds.map(({ facts }) => facts)),
        wanted: JSON.stringify(
          holds.flatMap(({ places }, party) => places.map((each) => ({ party, ...each }))),
        ),
      }),
    {
      rowOf: ({ id }) => id,
      locks: { of: sailingsInUse(db), rowsOf: ({ places }) => places.map(({ sailingId }) => sailingId) },
    },
  );
});

/** The parts of a statement that write the holds of its table `hold` with their rows of `wanted`. */
const INSERT_HOLDS = sql`
  inserted as (
    insert into holds (id, status, request, total, price_fingerprint, expires_at, expires_at_max, network, inserted_at)
    select id, 'active', request, total, "priceFingerprint", "expiresAt", "expiresAtMax", network, now from hold
    returning id
  ),
  items as (
    insert into hold_items (hold_id, sailing_id, resource, amount)
    select inserted.id, w.sailing_id, w.resource, w.amount
    from wanted w join hold on hold.item = w.party join inserted on inserted.id = hold.id
  )`;
