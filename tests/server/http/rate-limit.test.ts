import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiError } from '#server/http/api-error.ts';
import { rateLimit, rateLimitDistinct, subtractHits } from '#server/http/rate-limit.ts';
import { retentionRules } from '#server/register-jobs.ts';
import { applyRetention } from '#server/retention.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

const limit = { limit: 3, windowSeconds: 60 };

async function tryOnce(name: string, who: string): Promise<ApiError | null> {
  try {
    await rateLimit(server.context, { name, who, ...limit });
    return null;
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}

test('The try after the last allowed one is refused with the seconds left', async () => {
  for (let hit = 0; hit < 3; hit += 1) expect(await tryOnce('plain', 'a')).toBeNull();
  server.clock.advance(20_000);
  const refusal = await tryOnce('plain', 'a');
  expect(refusal?.code).toBe('rate_limited');
  expect(refusal?.retryAfter).toBe(40);
});

test('Callers and limits are counted separately', async () => {
  for (let hit = 0; hit < 3; hit += 1) await tryOnce('apart', 'a');
  expect(await tryOnce('apart', 'a')).not.toBeNull();
  expect(await tryOnce('apart', 'b')).toBeNull();
  expect(await tryOnce('other', 'a')).toBeNull();
});

test('A distinct counter counts each target once, and a refused target stays refused', async () => {
  const each = { name: 'distinct', who: 'a', ...limit };
  const isAllowed = (what: string) =>
    rateLimitDistinct(server.context, each, what).then(
      () => true,
      () => false,
    );
  const seen = [];
  for (const what of ['x', 'x', 'x', 'x', 'y', 'z', 'fourth', 'fourth', 'x'])
    seen.push(await isAllowed(what));
  expect(seen).toEqual([true, true, true, true, true, true, false, false, true]);
  server.clock.advance(60_000);
  expect(await isAllowed('fourth')).toBe(true);
});

test('A new window starts when the old one ends, regardless of refused tries', async () => {
  for (let hit = 0; hit < 50; hit += 1) await tryOnce('window', 'a');
  server.clock.advance(60_000);
  expect(await tryOnce('window', 'a')).toBeNull();
});

test('Concurrent tries cannot exceed the limit', async () => {
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => tryOnce('parallel', 'a')));
  expect(outcomes.filter((outcome) => outcome === null)).toHaveLength(3);
});

test('Subtracted attempts no longer count', async () => {
  for (let hit = 0; hit < 3; hit += 1) await tryOnce('forgiven', 'a');
  await subtractHits(server.context, { name: 'forgiven', who: 'a' }, 1);
  expect(await tryOnce('forgiven', 'a')).toBeNull();
  expect(await tryOnce('forgiven', 'a')).not.toBeNull();
  await subtractHits(server.context, { name: 'forgiven', who: 'a' });
  expect(await tryOnce('forgiven', 'a')).toBeNull();
});

test('Stored counters do not reveal the counted subject', async () => {
  await tryOnce('private', 'ada@example.com 203.0.113.0/24');
  const rows = await server.database.store.query<{ key: string }>('select key from rate_limits');
  expect(JSON.stringify(rows)).not.toContain('ada@example');
  expect(JSON.stringify(rows)).not.toContain('203.0.113');
});

test('Retention deletes counters whose window is over', async () => {
  await tryOnce('swept', 'a');
  server.clock.advance(61_000);
  await applyRetention(server.context, retentionRules);
  const rows = await server.database.store.query('select key from rate_limits');
  expect(rows).toEqual([]);
});
