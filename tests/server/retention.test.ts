import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  accountLinks,
  securityEvents,
  signInChallenges,
  usedPasskeyChallenges,
} from '#server/database/schema/people.ts';
import { idempotencyKeys, mails, providerEvents } from '#server/database/schema/system.ts';
import { retentionRules } from '#server/register-jobs.ts';
import { applyRetention, registerRetention } from '#server/retention.ts';
import { createCustomer } from '#tests/factories/customers.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const HOUR = 3_600_000;
const DAY = 24;

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

test('The hourly job deletes old keys and events, and keeps those that can still be requested', async () => {
  const { db, jobs } = server.context;
  await db.insert(idempotencyKeys).values([
    { scope: 'a', key: 'old', requestHash: 'x', insertedAt: ago(49) },
    { scope: 'a', key: 'new', requestHash: 'x', insertedAt: ago(47) },
  ]);
  await db.insert(providerEvents).values([
    { id: 'evt_old', type: 'x', receivedAt: ago(31 * 24) },
    { id: 'evt_new', type: 'x', receivedAt: ago(29 * 24) },
  ]);
  await registerRetention(server.context, retentionRules);
  await jobs.send('apply-retention', {});
  await server.jobs.runJobs();
  expect((await db.select().from(idempotencyKeys)).map(({ key }) => key)).toEqual(['new']);
  expect((await db.select().from(providerEvents)).map(({ id }) => id)).toEqual(['evt_new']);
});

test('Links and sign-in challenges are deleted a day after they expire, passkey challenges at once', async () => {
  const { db } = server.context;
  for (const [name, expiresAt] of [
    ['old', ago(DAY + 1)],
    ['new', ago(DAY - 1)],
    ['live', ago(-1)],
  ] as const) {
    await db.insert(accountLinks).values({
      id: name,
      kind: 'register',
      tokenHash: name,
      email: 'ada@example.com',
      data: {},
      insertedAt: ago(3 * DAY),
      expiresAt,
    });
    await db.insert(signInChallenges).values({
      id: name,
      kind: 'email_code',
      email: 'ada@example.com',
      tempHash: name,
      device: 'Firefox on Linux',
      insertedAt: ago(3 * DAY),
      expiresAt,
    });
    await db.insert(usedPasskeyChallenges).values({ hash: name, expiresAt });
  }
  await applyRetention(server.context, retentionRules);
  expect((await db.select().from(accountLinks)).map(({ id }) => id).toSorted()).toEqual(['live', 'new']);
  expect((await db.select().from(signInChallenges)).map(({ id }) => id).toSorted()).toEqual(['live', 'new']);
  expect((await db.select().from(usedPasskeyChallenges)).map(({ hash }) => hash)).toEqual(['live']);
});

test('Sent and failed mails are deleted after thirty days, queued mails never', async () => {
  const { db } = server.context;
  const mail = (id: string, status: 'queued' | 'sent' | 'failed', days: number) => ({
    id,
    kind: 'test',
    toAddress: 'ada@example.com',
    status,
    insertedAt: ago(days * DAY),
  });
  await db
    .insert(mails)
    .values([
      mail('a', 'sent', 31),
      mail('b', 'failed', 31),
      mail('c', 'queued', 31),
      mail('d', 'sent', 29),
      mail('e', 'failed', 29),
    ]);
  await applyRetention(server.context, retentionRules);
  expect((await db.select().from(mails)).map(({ id }) => id).toSorted()).toEqual(['c', 'd', 'e']);
});

test('Security events are kept for eighteen months', async () => {
  const { db } = server.context;
  const { id: customerId } = await createCustomer(server.context);
  const event = (id: string, days: number) => ({
    id,
    customerId,
    kind: 'mfa_on' as const,
    device: 'Firefox on Linux',
    insertedAt: ago(days * DAY),
  });
  await db.insert(securityEvents).values([event('old', 550), event('new', 540)]);
  await applyRetention(server.context, retentionRules);
  expect((await db.select().from(securityEvents)).map(({ id }) => id)).toEqual(['new']);
});

function ago(hours: number): Date {
  return new Date(server.clock.now().getTime() - hours * HOUR);
}
