import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { PassTerms } from '#contract/passes/pass-terms.ts';
import { tripCardsCommand } from '#server/commands/trip-cards.ts';
import { notifyPassEnds } from '#server/passes/notify-ends.ts';
import { chargeBatch as chargeBatchAs } from '#server/trip-cards/operator-commands.ts';
import { type GateCharge, readGateBatch } from '#server/trip-cards/operator-files.ts';
import { mailsTo } from '#tests/factories/account-mails.ts';
import { must } from '#tests/factories/buyer.ts';
import { buildPassTerms } from '#tests/factories/passes.ts';
import { cardHolder, createTripCard, findBrokenBooks } from '#tests/factories/trip-cards.ts';
import { firstLineOf, runCommandLine } from '#tests/setup/command-line.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const chargeBatch = (context: Parameters<typeof chargeBatchAs>[0], charges: readonly GateCharge[]) =>
  chargeBatchAs(context, { charges, actor: { kind: 'server' } });

const DAY = 24 * 3_600_000;
let server: TestServer;
let holder: Awaited<ReturnType<typeof cardHolder>>;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  holder = await cardHolder(server);
});

const inDays = (days: number) => new Date(server.clock.now().getTime() + days * DAY);
function createPass(terms: Partial<PassTerms> = {}, over: { balance?: number; expiresAt?: Date } = {}) {
  const pass = buildPassTerms(terms);
  const card = { unit: 'trips' as const, pass, name: pass.name, balance: 10, ...over };
  return createTripCard(server.context, holder.customer.id, card);
}
const read = async (id: string) => must(await holder.call('GET', `/${id}`));

describe('charges of a gate', () => {
  let seq = 0;
  function charge(number: string, trips: number, more: Partial<GateCharge> = {}): GateCharge {
    seq += 1;
    const occurredAt = new Date(server.clock.now().getTime() - 60_000);
    return {
      deviceId: 'P1',
      deviceSeq: seq,
      number,
      unit: 'trips',
      amount: trips,
      occurredAt,
      place: 'Quay',
      ...more,
    };
  }

  test('take trips, once for each number of the device', async () => {
    const pass = await createPass();
    const batch = [charge(pass.number, 3)];
    expect(await chargeBatch(server.context, batch)).toMatchObject({ charged: 1 });
    expect(await chargeBatch(server.context, batch)).toMatchObject({ repeated: 1 });
    expect(await read(pass.id)).toMatchObject({ balance: 7, owed: 0 });
    const { entries } = must(await holder.call('GET', `/${pass.id}/balance`));
    expect(entries[0]).toMatchObject({ kind: 'fare', amount: -3, place: 'Quay', actor: 'device' });
  });

  test('of two gates without network that both take the last trip leave a debt, which a renewal pays', async () => {
    const pass = await createPass({}, { balance: 1 });
    const batch = [charge(pass.number, 1), charge(pass.number, 1, { deviceId: 'P2', deviceSeq: 1 })];
    expect(await chargeBatch(server.context, batch)).toMatchObject({ charged: 1, owed: 1 });
    expect(await read(pass.id)).toMatchObject({ balance: 0, owed: 1 });
    const run = (...args: string[]) => firstLineOf(runCommandLine(server, tripCardsCommand, ...args));
    expect(await run('adjust', pass.number, '10', 'Sold at the booth')).toEqual([
      0,
      'Entry 3: 10 trips. Balance 10 trips.',
    ]);
    expect(await read(pass.id)).toMatchObject({ balance: 9, owed: 0 });
    expect((await run('adjust', pass.number, '1.5', 'Half a trip'))[0]).toBe(1);
    expect(await findBrokenBooks(server.context)).toEqual([]);
  });

  test('of money on a pass, or of trips on money, are kept and not charged', async () => {
    const pass = await createPass();
    const money = await createTripCard(server.context, holder.customer.id, { balance: 500 });
    const batch = [charge(pass.number, 5, { unit: 'money' }), charge(money.number, 5)];
    expect(await chargeBatch(server.context, batch)).toMatchObject({ charged: 0, owed: 2 });
    expect(await read(pass.id)).toMatchObject({ balance: 10, owed: 0 });
    expect(await read(money.id)).toMatchObject({ balance: 500, owed: 0 });
    const reasons = await server.database.store.query(
      `select distinct reason from trip_card_debts where trip_card_id in ($1, $2)`,
      [pass.id, money.id],
    );
    expect(reasons).toEqual([{ reason: 'wrong_unit' }]);
  });

  test('begin the days of a pass that counts from its first use', async () => {
    const pass = await createPass({ valid_from: 'first_use', valid_days: 30 });
    expect(await read(pass.id)).toMatchObject({ valid_until: null });
    await chargeBatch(server.context, [charge(pass.number, 1)]);
    expect((await read(pass.id)).expires_at).not.toBeNull();
  });

  test('are read with trips in place of an amount, never with both or neither', async () => {
    const pass = await createPass();
    const bytes = (text: string) => new TextEncoder().encode(text);
    const options = { currency: 'USD', now: server.clock.now() };
    const at = '2026-01-01T08:00:00Z';
    const csv = (amount: string, trips: string) =>
      bytes(
        `device_id,device_seq,number,amount,trips,occurred_at\nP1,1,${pass.number},${amount},${trips},${at}\n`,
      );
    const json = (more: object) =>
      bytes(
        JSON.stringify([{ device_id: 'P1', device_seq: 1, number: pass.number, occurred_at: at, ...more }]),
      );
    const expected = { unit: 'trips', amount: 2 };
    expect(readGateBatch({ file: 'a.csv', contents: csv('', '2'), ...options })).toMatchObject([expected]);
    expect(readGateBatch({ file: 'a.json', contents: json({ trips: 2 }), ...options })).toMatchObject([
      expected,
    ]);
    expect(readGateBatch({ file: 'a.csv', contents: csv('4.50', ''), ...options })).toMatchObject([
      { unit: 'money', amount: 450 },
    ]);
    for (const file of [csv('', ''), csv('4.50', '2'), csv('', '0'), csv('', '1.5')]) {
      expect(() => readGateBatch({ file: 'a.csv', contents: file, ...options })).toThrow();
    }
    for (const file of [json({}), json({ amount: 450, trips: 2 }), json({ trips: 0 })]) {
      expect(() => readGateBatch({ file: 'a.json', contents: file, ...options })).toThrow();
    }
  });
});

describe('notifyPassEnds', () => {
  const mails = async () =>
    (await mailsTo(server.context, holder.customer.email))
      .filter(({ kind }) => kind === 'trip-card-pass-ends')
      .map(({ data }) => Number(data.days));

  test('mails the owner 60, 30 and 7 days before the end, once each', async () => {
    await createPass({}, { expiresAt: inDays(61) });
    const sent: number[] = [];
    for (const days of [0, 1, 1, 29, 1, 22, 1, 5]) {
      server.clock.advance(days * DAY);
      await notifyPassEnds(server.context);
      await notifyPassEnds(server.context);
      sent.push((await mails()).length);
    }
    expect(sent).toEqual([0, 1, 1, 2, 2, 3, 3, 3]);
    expect((await mails()).toSorted((a, b) => b - a)).toEqual([60, 30, 7]);
  });

  test('mails only the last notice of a pass that is late for the others', async () => {
    await createPass({}, { expiresAt: inDays(3) });
    await notifyPassEnds(server.context);
    expect(await mails()).toEqual([7]);
  });

  test('mails nothing about a pass without trips, one that has ended, and one that was that short from the start', async () => {
    await createPass({}, { expiresAt: inDays(20), balance: 0 });
    await createPass({}, { expiresAt: inDays(-1) });
    await createPass({ valid_days: 30 }, { expiresAt: inDays(29) });
    await notifyPassEnds(server.context);
    expect(await mails()).toEqual([]);
  });
});
