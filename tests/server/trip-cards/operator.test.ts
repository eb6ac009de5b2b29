import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { eq, sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createTripCardNumber } from '#domain/trip-cards/trip-card-number.ts';
import { tripCardsCommand } from '#server/commands/trip-cards.ts';
import { queryRows } from '#server/database/database.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { replaceLostCard } from '#server/trip-cards/block-card.ts';
import {
  adjustBalance,
  chargeBatch as chargeBatchAs,
  issueCards,
} from '#server/trip-cards/operator-commands.ts';
import { type GateCharge, readGateBatch, readPrintedCards } from '#server/trip-cards/operator-files.ts';
import { postEntry } from '#server/trip-cards/post-entry.ts';
import { refundIn } from '#server/trip-cards/spend.ts';
import { undoCharge } from '#server/trip-cards/undo-charge.ts';
import { codeOf, must } from '#tests/factories/buyer.ts';
import { startSession } from '#tests/factories/customers.ts';
import { cardHolder, createTripCard, findBrokenBooks } from '#tests/factories/trip-cards.ts';
import { firstLineOf, runCommandLine } from '#tests/setup/command-line.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const chargeBatch = (context: Parameters<typeof chargeBatchAs>[0], charges: readonly GateCharge[]) =>
  chargeBatchAs(context, { charges, actor: { kind: 'server' } });

const HOUR = 3_600_000;
let server: TestServer;
let folder: string;
let made = 0;
beforeAll(async () => {
  server = await openTestServer();
  folder = mkdtempSync(join(tmpdir(), 'gangway-cards-'));
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

const bytes = (text: string) => new TextEncoder().encode(text);
const at = (hours: number) => new Date(Date.parse('2026-06-01T08:00:00Z') + hours * HOUR);

function newNumber(): string {
  made += 1;
  const digits = String(made).padStart(14, '0');
  let index = 0;
  return createTripCardNumber(() => Number(digits[index++]));
}

function fare(number: string, deviceSeq: number, amount: number, more: object = {}) {
  return { deviceId: 'G1', deviceSeq, number, amount, occurredAt: at(0), place: 'North Quay', ...more };
}

async function debts(cardId: string) {
  return server.database.store.query<{ reason: string; amount: number; settled: number }>(
    `select reason, amount::int, settled::int from trip_card_debts where trip_card_id = $1 order by device_seq`,
    [cardId],
  );
}

async function balanceOf(cardId: string): Promise<number> {
  const [row] = await server.database.store.query<{ balance: number }>(
    'select balance::int as balance from trip_cards where id = $1',
    [cardId],
  );
  return row?.balance ?? -1;
}

test('Printed cards are issued once and can be added with their PIN', async () => {
  const [one, two] = [newNumber(), newNumber()];
  const file = bytes(`number,pin,name,amount\r\n${one},4711,Blue card,12.50\r\n${two},0042,,\r\n`);
  const cards = readPrintedCards({ file: 'cards.csv', contents: file, currency: 'USD' });
  expect(await issueCards(server.context, cards.slice(0, 1))).toEqual({ issued: 1, existing: 0 });
  expect(await issueCards(server.context, cards)).toEqual({ issued: 1, existing: 1 });
  const { call } = await cardHolder(server);
  expect(must(await call('POST', '', { number: one, pin: '4711' }))).toMatchObject({
    name: 'Blue card',
    balance: 1250,
  });
  expect(codeOf(await call('POST', '', { number: two, pin: '42' }))).toBe('invalid_input');
  expect(must(await call('POST', '', { number: two, pin: '0042' })).balance).toBe(0);
  const [kept] = await server.database.store.query<{ pin_hash: string }>(
    `select pin_hash from trip_cards where number = '${one}'`,
  );
  expect(kept?.pin_hash).toMatch(/^\$argon2id\$/);
});

test('A file with errors issues nothing and reports every error', () => {
  const good = newNumber();
  const file = bytes(`number,pin\n${good},12\n1234,4711\n${good},4711\n`);
  expect(() => readPrintedCards({ file: 'cards.csv', contents: file, currency: 'USD' })).toThrow(
    expect.objectContaining({
      problems: [
        expect.objectContaining({ line: 2, column: 'pin' }),
        expect.objectContaining({ line: 3, column: 'number' }),
        expect.objectContaining({ line: 4, column: 'number' }),
      ],
    }),
  );
});

test('An adjustment is in the audit log once, also if it is repeated', async () => {
  const card = await createTripCard(server.context, null, { balance: 500 });
  const actor = { kind: 'command', systemUser: 'ada' } as const;
  const input = { number: card.number, amount: -50, reason: 'Charged twice', key: 'audited', actor };
  await adjustBalance(server.context, input);
  await adjustBalance(server.context, input);
  await adjustBalance(server.context, { ...input, amount: -451, key: 'too much' }).catch(() => {});
  const rows = await server.context.db.select().from(auditLog).where(eq(auditLog.objectId, card.id));
  expect(rows).toMatchObject([
    {
      actorId: 'ada',
      action: 'trip_card_adjusted',
      before: { balance: 500 },
      after: { balance: 450 },
      reason: 'Charged twice',
    },
  ]);
});

test('An adjustment has a reason, happens once per key, and never makes the balance negative', async () => {
  const card = await createTripCard(server.context, null, { balance: 500 });
  const actor = { kind: 'server' } as const;
  const input = { number: card.number, amount: -450, reason: 'Charged twice', key: 'a', actor };
  expect(await adjustBalance(server.context, input)).toMatchObject({
    seq: 2,
    balanceAfter: 50,
    description: 'Charged twice',
  });
  expect(await adjustBalance(server.context, input)).toMatchObject({ seq: 2 });
  const other = await createTripCard(server.context, null, { balance: 500 });
  for (const wrong of [{ amount: -45 }, { number: other.number }]) {
    await expect(adjustBalance(server.context, { ...input, ...wrong })).rejects.toMatchObject({
      code: 'idempotency_mismatch',
    });
  }
  expect(await balanceOf(other.id)).toBe(500);
  await expect(adjustBalance(server.context, { ...input, amount: -51, key: 'b' })).rejects.toMatchObject({
    code: 'insufficient_balance',
  });
  await expect(adjustBalance(server.context, { ...input, number: newNumber(), key: 'c' })).rejects.toThrow(
    'no trip card',
  );
  expect(await balanceOf(card.id)).toBe(50);
});

describe('a gate’s charges', () => {
  test('are charged once when their batch arrives repeatedly', async () => {
    const card = await createTripCard(server.context, null, { balance: 1000 });
    const batch = [
      fare(card.number, 1, 300, { deviceId: 'twice' }),
      fare(card.number, 2, 200, { deviceId: 'twice' }),
    ];
    expect(await chargeBatch(server.context, batch)).toMatchObject({ charged: 2, repeated: 0 });
    const audited = await server.context.db.select().from(auditLog).where(eq(auditLog.objectId, card.id));
    expect(audited.map(({ action, before, after }) => [action, before.balance, after])).toEqual([
      ['trip_card_charged', 1000, { balance: 700, charge: 'twice 1', amount: 300, outcome: 'charged' }],
      ['trip_card_charged', 700, { balance: 500, charge: 'twice 2', amount: 200, outcome: 'charged' }],
    ]);
    expect(await chargeBatch(server.context, batch.toReversed())).toMatchObject({ charged: 0, repeated: 2 });
    await Promise.all([chargeBatch(server.context, batch), chargeBatch(server.context, batch)]);
    expect(await balanceOf(card.id)).toBe(500);
  });

  test('are skipped and reported if a number is used twice for different fares', async () => {
    const card = await createTripCard(server.context, null, { balance: 1000 });
    const first = fare(card.number, 1, 300, { deviceId: 'conflict' });
    expect(await chargeBatch(server.context, [first, { ...first, amount: 301 }])).toMatchObject({
      charged: 1,
      conflict: 1,
    });
    expect(await balanceOf(card.id)).toBe(700);
  });

  test('become a debt, which later value pays first, if the card cannot pay them', async () => {
    const card = await createTripCard(server.context, null, { balance: 500 });
    const report = await chargeBatch(server.context, [
      fare(card.number, 1, 400, { deviceId: 'owed' }),
      fare(card.number, 2, 400, { deviceId: 'owed' }),
    ]);
    expect(report).toMatchObject({ charged: 1, owed: 1 });
    expect(await balanceOf(card.id)).toBe(0);
    expect(await debts(card.id)).toEqual([{ reason: 'insufficient_balance', amount: 300, settled: 0 }]);
    const give = (amount: number, key: string) =>
      server.context.db.transaction((tx) =>
        refundIn(tx, server.context, {
          cardId: card.id,
          amount,
          orderId: null,
          cause: { code: 'refund', reference: 'K7QF-2M9P' },
          key,
        }),
      );
    await give(100, 'give 1');
    expect(await balanceOf(card.id)).toBe(0);
    expect(await debts(card.id)).toMatchObject([{ settled: 100 }]);
    await give(1000, 'give 2');
    expect(await balanceOf(card.id)).toBe(800);
    expect(await debts(card.id)).toMatchObject([{ settled: 300 }]);
    expect(await findBrokenBooks(server.context)).toEqual([]);
  });

  test('are paid from the initial balance of a card that is issued later, in any order of the files', async () => {
    const number = newNumber();
    const charges = [1, 2].map((seq) => fare(number, seq, 400, { deviceId: 'early' }));
    expect(await chargeBatch(server.context, charges)).toMatchObject({ owed: 2 });
    expect(
      await issueCards(server.context, [{ number, pin: '4711', name: 'Card', amount: 600 }]),
    ).toMatchObject({
      issued: 1,
    });
    const [card] = await server.database.store.query<{ id: string }>(
      'select id from trip_cards where number = $1',
      [number],
    );
    const id = card?.id ?? '';
    expect(await balanceOf(id)).toBe(0);
    const owed = await debts(id);
    expect(owed.map(({ reason }) => reason)).toEqual(Array(2).fill('insufficient_balance'));
    expect(owed.reduce((sum, { amount, settled }) => sum + amount - settled, 0)).toBe(200);
    expect(await chargeBatch(server.context, charges)).toMatchObject({ repeated: 2 });
    expect(await balanceOf(id)).toBe(0);
    expect(await findBrokenBooks(server.context)).toEqual([]);
  });

  test('are numbered by their gate for its whole lifetime', async () => {
    const card = await createTripCard(server.context, null, { balance: 1000 });
    const file = bytes(
      `device_id,device_seq,number,amount,occurred_at,place\nold,999999999,${card.number},1.00,2026-06-01T08:00:00Z,\n`,
    );
    const batch = readGateBatch({ file: 'gate.csv', contents: file, currency: 'USD', now: at(1) });
    expect(await chargeBatch(server.context, batch)).toMatchObject({ charged: 1 });
  });

  test('are a debt without a card if the card is unknown', async () => {
    const report = await chargeBatch(server.context, [fare(newNumber(), 1, 400, { deviceId: 'unknown' })]);
    expect(report).toMatchObject({ owed: 1 });
  });

  test('are not charged if the card was frozen or lost at the time, and are if it was not yet', async () => {
    server.clock.set('2026-06-02T08:00:00Z');
    const { call, customer } = await cardHolder(server);
    const card = await createTripCard(server.context, customer.id, { balance: 1000 });
    const during = (hours: number, seq: number) =>
      fare(card.number, seq, 100, {
        deviceId: 'late',
        occurredAt: new Date(Date.parse('2026-06-02T08:00:00Z') + hours * HOUR),
      });
    server.clock.advance(60_000);
    must(await call('POST', `/${card.id}/freeze`));
    server.clock.advance(2 * HOUR);
    must(await call('POST', `/${card.id}/unfreeze`));
    server.clock.advance(HOUR);
    const token = await startSession(server.context, customer.id);
    const replacement = must(await call('POST', `/${card.id}/lost`, undefined, { token }));
    server.clock.advance(10 * HOUR);
    const report = await chargeBatch(server.context, [
      during(9, 1),
      during(1, 2),
      during(2.5, 3),
      during(0, 4),
    ]);
    expect(report).toMatchObject({ charged: 2, owed: 2, missing: [] });
    expect(await balanceOf(replacement.id)).toBe(800);
    expect((await debts(card.id)).map(({ reason }) => reason)).toEqual(['card_blocked', 'card_blocked']);
  });

  test('are reported if one is missing', async () => {
    const card = await createTripCard(server.context, null, { balance: 1000 });
    const batch = [3, 4, 9].map((seq) => fare(card.number, seq, 1, { deviceId: 'holes' }));
    expect((await chargeBatch(server.context, batch)).missing).toEqual(['holes 1-2', 'holes 5-8']);
  });

  test('are read from CSV and from JSON', () => {
    const number = newNumber();
    const now = at(1);
    const csv = `device_id,device_seq,number,amount,occurred_at,place\nG1,7,${number},4.50,2026-06-01T08:00:00Z,North Quay\n`;
    const json = JSON.stringify([
      {
        device_id: 'G1',
        device_seq: 7,
        number,
        amount: 450,
        occurred_at: '2026-06-01T08:00:00Z',
        place: 'North Quay',
      },
    ]);
    const expected = [fare(number, 7, 450, { unit: 'money' })];
    expect(readGateBatch({ file: 'a.csv', contents: bytes(csv), currency: 'USD', now })).toEqual(expected);
    expect(readGateBatch({ file: 'a.json', contents: bytes(json), currency: 'USD', now })).toEqual(expected);
    for (const [name, text] of [
      ['a.csv', csv.replace('4.50', '-4.50')],
      ['a.csv', csv.replace('4.50', '0')],
      ['a.csv', csv.replace('2026-06-01T08', '2026-06-01T18')],
      ['a.csv', csv.replace('2026-06-01T08', 'yesterday')],
      ['a.csv', csv.replace(number, '123')],
      ['a.csv', csv.replace('G1', '')],
      ['a.json', json.replace('450', '4.5')],
      ['a.json', json.replace('450', '-450')],
      ['a.json', json.replace('2026-06', '2026-13')],
      ['a.csv', csv.replace('2026-06', '2026-13')],
      ['a.json', '{'],
      ['a.json', '{}'],
    ] as const)
      expect(() => readGateBatch({ file: name, contents: bytes(text), currency: 'USD', now })).toThrow();
  });
});

test('The commands issue, adjust and charge, and print the result', async () => {
  const number = newNumber();
  writeFileSync(join(folder, 'cards.csv'), `number,pin,amount\n${number},4711,10.00\n`);
  writeFileSync(
    join(folder, 'gate.json'),
    JSON.stringify([
      { device_id: 'shell', device_seq: 1, number, amount: 450, occurred_at: '2026-06-01T08:00:00Z' },
    ]),
  );
  writeFileSync(join(folder, 'bad.csv'), 'number,pin\n1,2\n');
  const run = (...args: string[]) => firstLineOf(runCommandLine(server, tripCardsCommand, ...args));
  expect(await run('issue', join(folder, 'cards.csv'))).toEqual([0, '1 card issued, 0 there already.']);
  expect(await run('adjust', number, '-1.00', 'Charged twice')).toEqual([
    0,
    'Entry 2: -$1.00. Balance $9.00.',
  ]);
  expect(await run('charge', join(folder, 'gate.json'))).toEqual([
    0,
    '1 fare charged, 0 owed in whole or in part, 0 known already.',
  ]);
  expect(await run('adjust', number, '-4.51', 'Too much')).toEqual([
    1,
    'There is not enough on this trip card. Top it up first.',
  ]);
  expect(await run('issue', join(folder, 'bad.csv'))).toEqual([1, 'There are 2 problems; nothing was done.']);
  expect((await run('adjust', number, '1.234', 'x'))[0]).toBe(1);
  expect(await run()).toEqual([1, 'Name what to do: issue, adjust or charge.']);
});

test('A fare that is undone while a top-up of the replacement pays its debt is given back', async () => {
  const owner = await cardHolder(server);
  const lost = await createTripCard(server.context, owner.customer.id);
  const charge = fare(lost.number, 7001, 500);
  await chargeBatch(server.context, [charge]);
  const replacement = await replaceLostCard(server.context, {
    ...{ customerId: owner.customer.id, cardId: lost.id },
  });
  const undo = { device: charge.place, occurredAt: charge.occurredAt };
  const waiting = sql`
    select 1 from pg_locks l join pg_stat_activity a on a.pid = l.pid
    where not l.granted and a.datname = current_database()
  `;
  const { undone } = await inTransaction(server.context.db, async (tx) => {
    await postEntry(tx, server.context, {
      ...{ tripCardId: replacement, kind: 'top_up', amount: 800, cause: { code: 'top_up' } },
      ...{ idempotencyKey: 'top-up beside an undo', actor: 'customer' },
    });
    const undoing = inTransaction(server.context.db, (other) =>
      undoCharge(other, server.context, {
        ...{ deviceId: charge.deviceId, deviceSeq: charge.deviceSeq, undo, actor: { kind: 'server' } },
      }),
    );
    await vi.waitUntil(async () => (await queryRows(server.context.db, waiting)).length > 0, {
      timeout: 20_000,
    });
    return { undone: undoing };
  });
  await undone;
  expect(await balanceOf(replacement)).toBe(800);
});
