import { afterAll, beforeAll, expect, test } from 'vitest';
import { cardCurrencyCodes } from '#contract/payments/card-currencies.ts';
import { readStatement, statementSheet } from '#server/trip-cards/statement.ts';
import { codeOf, must } from '#tests/factories/buyer.ts';
import { readNumber, writeSample } from '#tests/factories/currencies.ts';
import { addEntry, cardHolder, createTripCard } from '#tests/factories/trip-cards.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

test('A statement as CSV contains no cell that a spreadsheet runs as a formula', async () => {
  const { call, customer } = await cardHolder(server);
  const card = await createTripCard(server.context, customer.id, { balance: 1000 });
  await addEntry(server.context, card.id, -250, {
    description: '=cmd|"calc"!A1',
    place: '@evil',
    kind: 'fare',
  });
  const reply = await call('GET', `/${card.id}/statement?format=csv`);
  expect(reply.headers.get('content-type')).toBe('text/csv; charset=utf-8');
  expect(reply.headers.get('content-disposition')).toMatch(
    /^attachment; filename="trip-card-\d{4}-.*\.csv"$/,
  );
  expect(reply.body.split('\r\n').slice(1, 3)).toEqual([
    expect.stringMatching(/^1,2026-\d\d-\d\d \d\d:\d\d,adjustment,Opening balance,,10\.00,10\.00,USD$/),
    expect.stringMatching(/^2,.*,fare,"'=cmd\|""calc""!A1",'@evil,-2\.50,7\.50,USD$/),
  ]);
  expect(
    (await call('GET', `/${card.id}/statement?from=2026-05-01&to=2026-05-02`)).body.trim().split('\r\n'),
  ).toHaveLength(1);
  for (const query of ['from=2026-02-30', 'from=2026-05-02&to=2026-05-01', 'from=2020-01-01', 'format=exe'])
    expect(codeOf(await call('GET', `/${card.id}/statement?${query}`))).toBe('invalid_input');
});

test('A statement starts with the balance before its first day and ends with the balance after its last', async () => {
  const { customer } = await cardHolder(server);
  const card = await createTripCard(server.context, customer.id);
  const on = (day: string) => ({ insertedAt: new Date(`${day}T19:00:00Z`) });
  await addEntry(server.context, card.id, 1000, on('2026-03-01'));
  await addEntry(server.context, card.id, -300, on('2026-03-10'));
  await addEntry(server.context, card.id, 500, on('2026-03-20'));
  const sheetOf = async (from: string, to: string) =>
    statementSheet(
      await readStatement(server.context, { customerId: customer.id, cardId: card.id, from, to }),
      'en-US',
    );
  for (const [from, to, opening, closing, lines] of [
    ['2026-02-01', '2026-02-28', '$0.00', '$0.00', 0],
    ['2026-03-02', '2026-03-09', '$10.00', '$10.00', 0],
    ['2026-03-05', '2026-03-15', '$10.00', '$7.00', 1],
    ['2026-03-01', '2026-03-31', '$0.00', '$12.00', 3],
    ['2026-04-01', '2026-04-30', '$12.00', '$12.00', 0],
  ] as const) {
    const sheet = await sheetOf(from, to);
    expect([sheet.opening, sheet.closing, sheet.lines.length], from).toEqual([opening, closing, lines]);
  }
});

test('A printed statement writes days, times and money in the form of the operator’s region', async () => {
  const { customer } = await cardHolder(server);
  const card = await createTripCard(server.context, customer.id);
  await addEntry(server.context, card.id, 123_450, { insertedAt: new Date('2026-03-01T19:00:00Z') });
  const days = { from: '2026-03-01', to: '2026-03-31' };
  const statement = await readStatement(server.context, {
    customerId: customer.id,
    cardId: card.id,
    ...days,
  });
  const entries = statement.entries.map((entry) => ({
    ...entry,
    occurredAt: new Date('2026-03-01T19:00:00Z'),
  }));
  const print = (language: string, currency: string) =>
    statementSheet(
      { ...statement, entries, timeZone: 'America/Los_Angeles', card: { ...statement.card, currency } },
      language,
    );
  expect(print('en-US', 'USD')).toMatchObject({
    period: 'Mar 1, 2026 to Mar 31, 2026',
    lines: [{ date: 'Mar 1, 2026, 11:00 AM', amount: '$1,234.50' }],
  });
  expect(print('en-NZ', 'NZD')).toMatchObject({
    period: '1 Mar 2026 to 31 Mar 2026',
    lines: [{ date: '1 Mar 2026, 11:00 am', amount: '$1,234.50' }],
  });
  for (const currency of cardCurrencyCodes) {
    const { lines, closing } = print('en-US', currency);
    const sample = writeSample(currency);
    expect([lines[0]?.amount, lines[0]?.balance, closing].map((text) => readNumber(text ?? ''))).toEqual(
      Array(3).fill(sample),
    );
  }
});

test('A statement as PDF has as many pages as it needs', async () => {
  const { call, customer } = await cardHolder(server);
  const card = await createTripCard(server.context, customer.id, { balance: 5000, name: 'Ṫrip ✓ <b>' });
  for (let n = 0; n < 60; n += 1)
    await addEntry(server.context, card.id, -10, { kind: 'fare', place: 'x'.repeat(80) });
  const reply = await call('GET', `/${card.id}/statement?format=pdf`);
  expect(reply.status).toBe(200);
  expect(reply.headers.get('content-type')).toBe('application/pdf');
  expect(reply.headers.get('content-disposition')).toMatch(/\.pdf"$/);
  expect(reply.body.slice(0, 5)).toBe('%PDF-');
  expect(reply.body.match(/\/Type \/Page\b/g)).toHaveLength(2);
});

test('Two thousand entries are read by page or by number, each exactly once', async () => {
  const { call, customer } = await cardHolder(server);
  const card = await createTripCard(server.context, customer.id);
  await server.database.store.query(`
    insert into trip_card_entries
      (id, trip_card_id, seq, kind, amount, balance_after, description, idempotency_key, actor, occurred_at, inserted_at)
    select 'ent_' || lpad(n::text, 26, '0'), '${card.id}', 0, 'adjustment', 1, 0, '', 'many ' || n, 'staff', now(), now()
    from generate_series(1, 2000) n
  `);
  const page = await call('GET', `/${card.id}/balance?page=40`);
  expect(page.body.meta).toEqual({ page: 40, page_size: 50, total_pages: 40, total_count: 2000 });
  expect(must(page).entries.map(({ seq }: { seq: number }) => seq)).toEqual(
    Array.from({ length: 50 }, (_, index) => 50 - index),
  );
  expect(must(page).next_before_seq).toBeNull();
  const seen: number[] = [];
  for (let next: number | null = 2001; next !== null; ) {
    const data = must(await call('GET', `/${card.id}/balance?before_seq=${next}`));
    seen.push(...data.entries.map(({ seq }: { seq: number }) => seq));
    next = data.next_before_seq;
  }
  expect(seen).toEqual(Array.from({ length: 2000 }, (_, index) => 2000 - index));
  for (const page of [41, 999_999_999])
    for (const list of ['balance', 'top_ups'])
      expect(must(await call('GET', `/${card.id}/${list}?page=${page}`)).next_before_seq).toBeNull();
  for (const query of ['before_seq=0', 'before_seq=x', 'page=0'])
    expect(codeOf(await call('GET', `/${card.id}/balance?${query}`))).toBe('invalid_input');
});
