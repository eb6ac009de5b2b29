import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { and, eq, isNull, lt, sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { backOff } from '../core/backoff.ts';
import { ASYNC_COMMIT } from '../database/async-commit.ts';
import { batched } from '../database/batched.ts';
import { type Database, queryRows } from '../database/database.ts';
import { perDatabase } from '../database/per-database.ts';
import { idempotencyKeys } from '../database/schema/system.ts';
import { isDatabaseUnavailable } from '../database/unavailable.ts';
import type { HttpContext } from './api.ts';
import { ApiError } from './api-error.ts';
import { answerJson } from './respond.ts';

/** A first request without a response by now ended with its process, so its key may be used again. */
const ABANDONED_AFTER_MS = 60_000;
/** How long responses are replayed; afterwards the key counts as new. */
const RESPONSE_RETENTION_MS = 48 * 3_600_000;
/** Pause between attempts to free a claim while the database is unavailable. */
const FREE_PAUSE = { first: 100, longest: 1000 };
const WAIT_MS = 100;
const WAITS = 20;
const KEY = /^[\w.:-]{8,128}$/;

type Dependencies = Pick<Context, 'db' | 'vault' | 'clock'>;
type Claim = { scope: string; key: string; requestHash: string };
type HeldClaim = Claim & { claimedAt: Date };

/** `claim`: id of the request, the same for each repetition. */
type Work = (claim: string) => Promise<Response>;

/**
 * Gives a repeated request the effect and response of the first. Only success is stored: a refusal frees its key, so
 * that the same form can be sent again. The effects are also unique by themselves (one order per hold, one open payment
 * per order), so a process that ends midway leaves no duplicates.
 * @param input body: the request's body, another one with the same key is refused
 * @param work returns JSON
 * @throws {ApiError} idempotency_key_required, idempotency_mismatch, request_in_progress
 */
export async function withIdempotency(
  context: Dependencies,
  c: HttpContext,
  input: { body: unknown; idempotency: 'required' | 'optional' },
  work: Work,
): Promise<Response> {
  const key = c.req.header('idempotency-key');
  if (key === undefined && input.idempotency === 'optional') return work('');
  if (key === undefined) throw new ApiError('idempotency_key_required');
  if (!KEY.test(key)) throw new ApiError('invalid_input', { field: 'Idempotency-Key' });
  const claim = {
    scope: `${c.req.method} ${c.req.path} ${c.var.signedInId ?? 'guest'}`,
    key,
    requestHash: createHash('sha256')
      .update(JSON.stringify(input.body ?? null))
      .digest('base64url'),
  };
  const claimed = await claimKey(context, claim);
  if ('body' in claimed) {
    return answerJson(c, JSON.parse(claimed.body), claimed.status, { 'Idempotent-Replayed': 'true' });
  }
  try {
    const response = await work(buildName(claim));
    const encryptedBody = context.vault.encrypt(c.var.answered ?? '');
    await storeResponse(context.db)({
      ...claim,
      status: response.status,
      encryptedBody,
      now: context.clock.now(),
    });
    return response;
  } catch (error) {
    await freeClaim(context.db, claimed);
    throw error;
  }
}

/**
 * Frees the key of a failed request, so that the same request can be sent again. Retries in the background while the
 * database is unavailable.
 */
async function freeClaim(db: Database, claim: HeldClaim): Promise<void> {
  try {
    await deleteClaim(db, claim);
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    void freeLater(db, claim);
  }
}

async function freeLater(db: Database, claim: HeldClaim): Promise<void> {
  const end = performance.now() + ABANDONED_AFTER_MS;
  for (let tries = 1; performance.now() < end; tries += 1) {
    await backOff(tries, FREE_PAUSE);
    try {
      return await deleteClaim(db, claim);
    } catch {
      // Still unavailable. Eventually the claim counts as abandoned.
    }
  }
}

/** Deletes only this claim, never a later one of the same key. */
async function deleteClaim(db: Database, claim: HeldClaim): Promise<void> {
  const isHeld = and(isNull(idempotencyKeys.status), eq(idempotencyKeys.insertedAt, claim.claimedAt));
  await db.delete(idempotencyKeys).where(and(isClaim(claim), isHeld));
}

/** Frees the keys of unanswered requests. Only for a process that is the only one. */
export async function freeUnansweredKeys(db: Database): Promise<void> {
  await db.delete(idempotencyKeys).where(isNull(idempotencyKeys.status));
}

/** Claims the key, or finds its stored response; waits briefly for a request in progress. */
async function claimKey(
  context: Dependencies,
  claim: Claim,
): Promise<{ status: number; body: string } | HeldClaim> {
  for (let wait = 0; wait <= WAITS; wait += 1) {
    const now = context.clock.now();
    if (await insertClaimOrFree(context.db, claim, now)) return { ...claim, claimedAt: now };
    const first = await findKey(context.db, claim);
    if (first && first.requestHash !== claim.requestHash) throw new ApiError('idempotency_mismatch');
    if (first?.status && first.encryptedBody) {
      return { status: first.status, body: context.vault.decrypt(first.encryptedBody) };
    }
    await delay(WAIT_MS);
  }
  throw new ApiError('request_in_progress', { retryAfter: 2 });
}

/** Like `insertClaim`. If the connection was lost, it is unknown whether the claim was written. */
async function insertClaimOrFree(db: Database, claim: Claim, now: Date): Promise<boolean> {
  try {
    return await insertClaim(db)({ ...claim, now });
  } catch (error) {
    if (isDatabaseUnavailable(error)) void freeLater(db, { ...claim, claimedAt: now });
    throw error;
  }
}

/**
 * Writes the claim unless another request holds the key. A key that is expired or whose request died without a response
 * can be claimed again. The claim is on disk no later than its effect.
 */
const insertClaim = perDatabase((db) =>
  batched(
    async (claims: readonly (Claim & { now: Date })[]): Promise<boolean[]> => {
      const claimed = await queryRows<Pick<Claim, 'scope' | 'key'>>(
        db,
        sql`
          with async_commit as materialized (${ASYNC_COMMIT})
          insert into idempotency_keys as k (scope, key, request_hash, inserted_at)
          select c.scope, c.key, c."requestHash", c.now
          from async_commit, jsonb_to_recordset(${JSON.stringify(claims)}::jsonb) as c (
            scope text, key text, "requestHash" text, now timestamptz
          )
          order by c.scope, c.key
          on conflict (scope, key) do update set
            request_hash = excluded.request_hash, status = null, encrypted_body = null, inserted_at = excluded.inserted_at
            where k.inserted_at <= excluded.inserted_at - ${RESPONSE_RETENTION_MS} * interval '1 millisecond'
              or (k.status is null and k.request_hash = excluded.request_hash
                  and k.inserted_at <= excluded.inserted_at - ${ABANDONED_AFTER_MS} * interval '1 millisecond')
          returning scope, key
        `,
      );
      const names = new Set(claimed.map(buildName));
      return claims.map((claim) => names.has(buildName(claim)));
    },
    { rowOf: buildName },
  ),
);

/**
 * Stores responses with their claims; one whose claim was deleted with its owner's account is dropped. Takes the text
 * of the response, because reading it back from the response would cost as much as creating it.
 */
const storeResponse = perDatabase((db) =>
  batched(
    async (answers: readonly (Claim & { status: number; encryptedBody: string; now: Date })[]) => {
      // Looks up each claim by its key; an update of many might scan the whole table.
      await db.execute(sql`
        with async_commit as materialized (${ASYNC_COMMIT})
        insert into idempotency_keys (scope, key, request_hash, status, encrypted_body, inserted_at)
        select a.scope, a.key, a."requestHash", a.status, a."encryptedBody", a.now
        from async_commit, jsonb_to_recordset(${JSON.stringify(answers)}::jsonb) as a (
          scope text, key text, "requestHash" text, status int, "encryptedBody" text, now timestamptz
        ), lateral (
          select 1 from idempotency_keys k where k.scope = a.scope and k.key = a.key for key share
        ) claim
        on conflict (scope, key) do update set status = excluded.status, encrypted_body = excluded.encrypted_body
    `);
      return answers;
    },
    { rowOf: buildName },
  ),
);

async function findKey(db: Database, claim: Claim): Promise<typeof idempotencyKeys.$inferSelect | undefined> {
  const [row] = await db.select().from(idempotencyKeys).where(isClaim(claim));
  return row;
}

function buildName({ scope, key }: Pick<Claim, 'scope' | 'key'>): string {
  return `${scope} ${key}`;
}

function isClaim({ scope, key }: Claim) {
  return and(eq(idempotencyKeys.scope, scope), eq(idempotencyKeys.key, key));
}

export async function deleteOldKeys(db: Database, now: Date): Promise<void> {
  const end = new Date(now.getTime() - RESPONSE_RETENTION_MS);
  await db.delete(idempotencyKeys).where(lt(idempotencyKeys.insertedAt, end));
}
