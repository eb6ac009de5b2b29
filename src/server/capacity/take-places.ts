import { sql } from 'drizzle-orm';
import { ASYNC_COMMIT } from '../database/async-commit.ts';
import { batched } from '../database/batched.ts';
import type { Database } from '../database/database.ts';
import { jsonElements } from '../database/json-elements.ts';
import { perDatabase } from '../database/per-database.ts';
import { prepareRows } from '../database/prepare-rows.ts';
import { withRetry } from '../database/transactions.ts';
import { insertResponses, type StoredResponse } from '../http/idempotency.ts';
import { isOnSale, type Places, takeAllOrNone } from './places.ts';

export type NewHold = {
  id: string;
  request: unknown;
  total: number;
  priceFingerprint: string;
  expiresAt: Date;
  expiresAtMax: Date;
  now: Date;
};

/** A hold with its places and, if it is stored with them, the response to the request. */
type HoldWithPlaces = NewHold & { places: readonly Places[]; response?: StoredResponse | undefined };

/**
 * Takes all places and writes the hold with the response, or does nothing, in one statement. Holds of concurrent requests
 * share a statement. Commits asynchronously, because buyers of one sailing wait for each other's commits; a later commit
 * for the order also writes the hold to disk. Never call it within a transaction.
 * @returns false if a sailing is off sale or a resource does not suffice
 */
export async function takePlaces(db: Database, hold: HoldWithPlaces): Promise<boolean> {
  for (;;) {
    const { fits, isRefused } = await withRetry(() => takeTogether(db)(hold));
    if (fits || isRefused) return fits;
  }
}

/** `isRefused`: there are too few places even without the other holds of the statement. */
type Decision = { party: number; fits: boolean; isRefused: boolean };

/** The first hold of a statement is always decided; the others are decided if all up to them have room. */
const takeTogether = perDatabase((db) => {
  const send = prepareRows<Decision>(
    db,
    sql`
      with async_commit as materialized (${ASYNC_COMMIT}),
      given as materialized (
        select g.* from async_commit, ${jsonElements(sql.placeholder('holds'))} as e (item), jsonb_to_record(e.item) as g (
          party int, id text, request jsonb, total bigint, "priceFingerprint" text,
          "expiresAt" timestamptz, "expiresAtMax" timestamptz, now timestamptz, response jsonb
        )
      ),
      wanted as materialized (
        select w.party, w."sailingId" as sailing_id, w.resource, w.amount, given.now
        from ${jsonElements(sql.placeholder('wanted'))} as e (item), jsonb_to_record(e.item) as w (
          party int, "sailingId" text, resource text, amount int
        )
        join given on given.party = w.party
      ),
      ${takeAllOrNone({ column: 'held', isAllowed: isOnSale(sql`w.now`) })},
      hold as materialized (
        select given.* from given join decision on decision.party = given.party and decision.fits
      ),
      ${INSERT_HOLDS},
      responses as (${insertResponses(sql`hold`)})
      select party, fits, is_refused as "isRefused" from decision order by party
    `,
  );
  return batched(
    (holds: readonly HoldWithPlaces[]): Promise<Decision[]> =>
      send({
        holds: JSON.stringify(holds.map(({ places: _, ...hold }, party) => ({ party, ...hold }))),
        wanted: JSON.stringify(
          holds.flatMap(({ places }, party) => places.map((each) => ({ party, ...each }))),
        ),
      }),
    ({ id }) => id,
  );
});

/** The parts of a statement that write the holds of its table `hold` with their rows of `wanted`. */
const INSERT_HOLDS = sql`
  inserted as (
    insert into holds (id, status, request, total, price_fingerprint, expires_at, expires_at_max, inserted_at)
    select id, 'active', request, total, "priceFingerprint", "expiresAt", "expiresAtMax", now from hold
    returning id
  ),
  items as (
    insert into hold_items (hold_id, sailing_id, resource, amount)
    select inserted.id, w.sailing_id, w.resource, w.amount
    from wanted w join hold on hold.party = w.party join inserted on inserted.id = hold.id
  )`;
