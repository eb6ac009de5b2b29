import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { CancellationQuote } from '#contract/orders/cancel/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import { parseCode } from '#domain/orders/ticket-code.ts';
import { refundCommand } from '#server/commands/refund-order.ts';
import { sailingsCommand } from '#server/commands/sailings.ts';
import { readRevoked } from '#server/commands/verify-ticket.ts';
import { buildCancelingCalendarFile } from '#server/documents/calendar-file.ts';
import { findTravelDocument } from '#server/documents/travel-document.ts';
import { renderText } from '#server/mail/mail-content.ts';
import { orderMailContent } from '#server/mail/templates/order.ts';
import { postEntry } from '#server/trip-cards/post-entry.ts';
import { spend } from '#server/trip-cards/spend.ts';
import { lastCode, mailsTo } from '#tests/factories/account-mails.ts';
import { codeOf, contact, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { startSession } from '#tests/factories/customers.ts';
import { demoSettings } from '#tests/factories/settings.ts';
import { cardHolder, createTripCard, findBrokenBooks } from '#tests/factories/trip-cards.ts';
import { runCommandLine } from '#tests/setup/command-line.ts';
import type { TestReply } from '#tests/setup/server.ts';

type Bought = TestReply['body'];
const HOUR = 3_600_000;
let office: Office;
let sailing: string;
let back: string;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  [sailing = ''] = office.ferry.outward;
  [back = ''] = office.ferry.back;
});

/** A paid order of a guest. */
async function buy(options: Parameters<Office['takePayment']>[0] = {}): Promise<Bought> {
  const { order, intent } = await office.takePayment(options);
  await office.confirmWith(intent);
  await office.provider.deliverNow();
  return office.readOrder(order.id);
}

const idsOf = (order: Bought, choose: (ticket: Bought) => boolean = () => true): string[] =>
  order.tickets.filter(choose).map(({ id }: { id: string }) => id);
const firstOf = (order: Bought) => idsOf(order).slice(0, 1);
const post = (path: string, order: Bought, body?: object, token?: string) =>
  office.request('POST', fillPath(path as typeof api.getOrder.path, { id: order.id }), {
    ...(body ? { body } : {}),
    ...(token ? { token } : {}),
    idempotencyKey: crypto.randomUUID(),
  });
const quote = (order: Bought, ticketIds: string[], token?: string) =>
  post(api.quoteCancellation.path, order, { ticket_ids: ticketIds }, token);

async function mailCode(order: Bought): Promise<{ temp: string; code: string }> {
  // Mails of one instant have no order.
  await office.database.store.query(`delete from mails where kind = 'order-code'`);
  const { temp } = must(await post(api.mailCancellationCode.path, order));
  const { code } = await lastCode(office.context, contact.email);
  return { temp, code };
}

/** Cancels as quoted, with a mailed code. */
async function cancel(order: Bought, ticketIds: string[], more: object = {}): Promise<TestReply> {
  const { version, refund } = must(await quote(order, ticketIds)) as CancellationQuote;
  const proof = await mailCode(order);
  return post(api.cancelTickets.path, order, { ticket_ids: ticketIds, version, refund, proof, ...more });
}

/** The events of the downloaded calendar file. */
async function readCalendar(order: Bought): Promise<{ uid: string; sequence: number; status: string }[]> {
  const { body } = await office.request('GET', fillPath(api.getCalendar.path, { id: order.id }));
  const events: string[] = String(body).split('BEGIN:VEVENT').slice(1);
  return events.map((event) => {
    const field = (name: string) => new RegExp(`^${name}:(.*)\r`, 'm').exec(event)?.[1] ?? '';
    return { uid: field('UID'), sequence: Number(field('SEQUENCE')), status: field('STATUS') };
  });
}

async function settle(): Promise<void> {
  office.clock.advance(2 * 60_000);
  await office.jobs.send('reconcile-payments', {});
  await office.jobs.runJobs();
  await office.provider.deliverNow();
}

async function writeMail(orderId: string): Promise<string> {
  const document = await findTravelDocument(office.context.db, orderId);
  if (!document) throw new Error('The order is not there.');
  return renderText(
    orderMailContent('order-tickets-canceled', {
      document,
      settings: demoSettings,
      origin: 'https://example.com',
      cancellationId: document.cancellations.at(-1)?.id ?? null,
    }),
  );
}

describe('a quote of a cancellation', () => {
  test('shows ticket by ticket what is given back, and where it goes', async () => {
    const order = await buy({ adults: 3 });
    expect(must(await quote(order, firstOf(order)))).toEqual({
      version: order.version,
      tickets: [
        { ticket_id: order.tickets[0].id, leg: 'out', title: 'Adult', paid: 1275, fee: 0, refund: 1275 },
      ],
      ...{ paid: 1275, fee: 0, refund: 1275, currency: 'USD' },
      destinations: [{ destination: 'card', network: null, last_four: null, amount: 1275 }],
      ...{ trip_cards: [], is_whole_order: false, needs_code: true, notes: [] },
    });
    office.clock.advance(HOUR);
    expect(must(await quote(order, idsOf(order)))).toMatchObject({
      ...{ paid: 3825, fee: 500, refund: 2560 },
      is_whole_order: true,
    });
    expect(await office.readOrder(order.id)).toMatchObject({ status: 'confirmed', refunds: [] });
  });

  test('counts the deadlines of each journey from its own departure', async () => {
    const order = await buy({ legs: [sailing, back], adults: 1 });
    const ofReturn = idsOf(order, ({ leg }) => leg === 'back');
    office.clock.advance(HOUR);
    expect(must(await quote(order, firstOf(order)))).toMatchObject({ paid: 1275, fee: 500, refund: 520 });
    expect(must(await quote(order, ofReturn))).toMatchObject({ paid: 1275, fee: 0, refund: 1275 });
  });

  test('cancels the included driver with the vehicle, and says so', async () => {
    const order = await buy({ adults: 2, vehicle: { type: 'car', length_cm: 400 } });
    const car = idsOf(order, ({ kind }) => kind === 'vehicle');
    const quoted = must(await quote(order, car));
    expect(quoted.tickets.map(({ title }: { title: string }) => title).toSorted()).toEqual([
      'Adult, driver',
      'Car, 5KJH 220',
    ]);
    expect(quoted).toMatchObject({ refund: 3000, notes: [expect.stringContaining('driver')] });
  });

  test.each([
    [
      'two hours before departure nothing is given back',
      23.5 * HOUR,
      'refund_not_allowed',
      'no_refund_now',
      'no refund',
    ],
    [
      'after the departure it is too late',
      25 * HOUR,
      'check_in_closed',
      'cancel_too_late',
      'Check-in has closed',
    ],
  ])('is refused with what is still possible: %s', async (_, later, code, reason, words) => {
    const order = await buy({ legs: [sailing, back] });
    office.clock.advance(later);
    const reply = await quote(
      order,
      idsOf(order, ({ leg }) => leg === 'out'),
    );
    const [error] = reply.body.errors;
    expect(error).toMatchObject({ code, reason, params: { remedy: 'cancel_return' } });
    expect(error.message).toContain(words);
    expect(error.message).toContain('You can still cancel the return.');
  });

  test('is refused where children or a vehicle would travel alone', async () => {
    const family = await buy({ adults: 1, children: 1 });
    const adult = idsOf(family, ({ title }) => title === 'Adult');
    const reply = await quote(family, adult);
    expect([codeOf(reply), reply.body.errors[0].message]).toEqual([
      'change_not_allowed',
      'Children travel with an adult. Cancel their tickets too, or keep an adult.',
    ]);
    const car = await buy({ vehicle: { type: 'car', length_cm: 400 } });
    const driver = idsOf(car, ({ kind }) => kind === 'passenger');
    expect(codeOf(await quote(car, driver))).toBe('change_not_allowed');
  });

  test('gives everything back if the sailing is canceled, whatever the fare says', async () => {
    const order = await buy({ adults: 2 });
    await office.database.store.query(`update sailings set status = 'canceled' where id = $1`, [sailing]);
    await office.database.store.query(
      `update orders set needs_attention = 'sailing_canceled', version = version + 1`,
    );
    office.clock.advance(30 * HOUR);
    expect(must(await quote(order, idsOf(order)))).toMatchObject({ fee: 0, refund: 2550 });
    must(await cancel(order, idsOf(order)));
    expect(await office.readOrder(order.id)).toMatchObject({
      ...{ status: 'canceled', needs_attention: null },
      refunds: [{ reason: 'sailing_canceled', amount: 2550 }],
    });
  });
});

describe('a cancellation', () => {
  test.each([
    ['before the deadline', 0, 'This order was canceled and refunded.'],
    ['later', HOUR, 'This order was canceled, and a part of what you paid was refunded.'],
  ])('says whether all that was paid is refunded: %s', async (_, wait, notice) => {
    const order = await buy({ adults: 2 });
    must(await cancel(order, firstOf(order)));
    office.clock.advance(wait);
    const rest = await office.readOrder(order.id);
    must(
      await cancel(
        rest,
        idsOf(rest, ({ status }) => status === 'issued'),
      ),
    );
    expect(await office.readOrder(order.id)).toMatchObject({ status: 'canceled', notice });
    await settle();
    expect(await office.readOrder(order.id)).toMatchObject({ notice });
  });

  test('of one of three people refunds one, and the others keep their tickets', async () => {
    const [, later = ''] = office.ferry.outward;
    const order = await buy({ legs: [later], adults: 3, promo: 'TEN' });
    expect(order.total).toBe(3443);
    const canceled = must(await cancel(order, firstOf(order)));
    expect(canceled).toMatchObject({ status: 'partly_canceled', display_status: 'upcoming', total: 3443 });
    const statuses = canceled.tickets.map(({ status }: { status: string }) => status);
    expect(statuses).toEqual(['canceled', 'issued', 'issued']);
    const sums = new Map<string, number>();
    for (const { status, amount } of canceled.lines) sums.set(status, (sums.get(status) ?? 0) + amount);
    const [refund] = canceled.refunds;
    expect(sums.get('canceled')).toBe(refund.amount);
    expect((sums.get('active') ?? 0) + refund.amount).toBe(3443);
    expect(await office.taken(later)).toMatchObject({ passenger: [0, 2] });
    await settle();
    expect(await office.readOrder(order.id)).toMatchObject({
      payment_status: 'partly_refunded',
      refunded: refund.amount,
    });
    const left = await office.readOrder(order.id);
    must(await cancel(left, idsOf(left).slice(1)));
    await settle();
    expect(await office.readOrder(order.id)).toMatchObject({
      ...{ status: 'canceled', payment_status: 'refunded', refunded: 3443 },
    });
    expect(await office.taken(later)).toMatchObject({ passenger: [0, 0] });
    expect(await findBrokenBooks(office.context)).toEqual([]);
  });

  test('of the return leaves the outbound trip, and removes the return from calendars', async () => {
    const order = await buy({ legs: [sailing, back] });
    const before = await readCalendar(order);
    must(
      await cancel(
        order,
        idsOf(order, ({ leg }) => leg === 'back'),
      ),
    );
    const left = await office.readOrder(order.id);
    expect(left.legs.map((leg: Bought) => leg.leg)).toEqual(['out']);
    expect(left.canceled_legs).toMatchObject([{ leg: 'back', sailing_id: back }]);
    expect(left.lines.map((line: Bought) => [line.leg, line.status, line.refund])).toEqual([
      ['out', 'active', undefined],
      ['back', 'canceled', 1275],
    ]);
    const document = await findTravelDocument(office.context.db, order.id);
    if (!document) throw new Error('The order is not there.');
    expect(document.legs.map(({ leg }) => leg)).toEqual(['out']);
    const options = { config: office.context.config, brandName: 'Harbor Line' };
    const calendar = buildCancelingCalendarFile(document, options);
    expect(calendar).toContain('METHOD:CANCEL');
    expect(calendar).toContain('STATUS:CANCELLED');
    expect(calendar).toContain(`UID:${order.reference}-back@`);
    expect(calendar).not.toContain(`UID:${order.reference}-out@`);
    const download = await readCalendar(order);
    expect(download.map(({ status }) => status)).toEqual(['CONFIRMED', 'CANCELLED']);
    for (const [index, { uid, sequence }] of before.entries()) {
      expect(download[index]).toMatchObject({ uid });
      expect(download[index]?.sequence).toBeGreaterThan(sequence);
    }
    expect(await office.taken(back)).toMatchObject({ passenger: [0, 0] });
  });

  test('is on the list of revoked tickets for gates, with what is left of the party', async () => {
    const order = await buy({ adults: 3 });
    const list = async () => (await runCommandLine(office, sailingsCommand, 'revoked', '--csv')).stdout;
    const header = 'ticket,order,sailing,passengers,vehicles,bicycles\n';
    expect(await list()).toBe(header);
    must(await cancel(order, firstOf(order)));
    expect(await list()).toBe(`${header}${firstOf(order)[0]},${order.reference},${sailing},2,0,0\n`);
    const isRevoked = readRevoked(await list());
    const codes = (await office.readOrder(order.id)).tickets.map(({ barcode }: Bought) =>
      parseCode(barcode.payload),
    );
    expect(codes.map(isRevoked)).toEqual([true, false, false]);
    const [before] = order.party_codes.map(({ barcode }: Bought) => parseCode(barcode.payload));
    const left = await office.readOrder(order.id);
    const [after] = left.party_codes.map(({ barcode }: Bought) => parseCode(barcode.payload));
    expect([isRevoked(before), isRevoked(after)]).toEqual([true, false]);
    office.clock.advance(49 * HOUR);
    expect(await list()).toBe(header);
  });

  test('writes one mail with the sums', async () => {
    const order = await buy({ adults: 2 });
    office.clock.advance(HOUR);
    must(await cancel(order, firstOf(order)));
    expect(await office.count('mails:order-tickets-canceled')).toBe(1);
    const mail = await writeMail(order.id);
    for (const words of ['Adult: $12.75', 'Not refunded under your fare’s rules: -$7.55', 'Refund: $5.20']) {
      expect(mail).toContain(words);
    }
    expect(mail).toContain('$5.20 is on its way to your Visa ending in 4242.');
    expect(mail).toContain('Your other tickets stay valid');
  });

  test('charges a fee per order once, also over two cancellations', async () => {
    const order = await buy({ adults: 2 });
    office.clock.advance(HOUR);
    must(await cancel(order, firstOf(order)));
    const left = await office.readOrder(order.id);
    expect(must(await quote(left, idsOf(left).slice(1)))).toMatchObject({ paid: 1275, fee: 0, refund: 1020 });
    const canceled = must(await cancel(left, idsOf(left).slice(1)));
    expect(canceled.refunds.at(-1)).toMatchObject({ amount: 1020 });
  });

  test('is refused once the order or the refund has changed, and then changes nothing', async () => {
    const order = await buy({ adults: 2 });
    const first = firstOf(order);
    expect(codeOf(await cancel(order, first, { version: order.version + 1 }))).toBe('version_conflict');
    expect(codeOf(await cancel(order, first, { refund: 1276 }))).toBe('version_conflict');
    expect(await office.readOrder(order.id)).toMatchObject({ status: 'confirmed', refunds: [] });
    must(await cancel(order, first));
    expect(codeOf(await quote(order, first))).toBe('version_conflict');
    expect(codeOf(await quote(order, ['tkt_00000000000000000000000000']))).toBe('not_found');
    expect(await office.count('cancellations')).toBe(1);
  });

  test('happens once for repeated and concurrent requests', async () => {
    const order = await buy({ adults: 2 });
    const ticketIds = firstOf(order);
    const { version, refund } = must(await quote(order, ticketIds));
    const proof = await mailCode(order);
    const body = { ticket_ids: ticketIds, version, refund, proof };
    const key = crypto.randomUUID();
    const send = (idempotencyKey: string) =>
      office.request('POST', fillPath(api.cancelTickets.path, { id: order.id }), { body, idempotencyKey });
    const replies = await Promise.all([send(key), send(crypto.randomUUID()), send(crypto.randomUUID())]);
    expect(replies.filter(({ body: { success } }) => success)).toHaveLength(1);
    const winner = replies[0]?.body.success ? await send(key) : null;
    if (winner) expect(must(winner).status).toBe('partly_canceled');
    expect(await office.readOrder(order.id)).toMatchObject({ refunds: [{ amount: 1275 }] });
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 1] });
  });

  test('of a free order gives the places and the promo code back', async () => {
    const { quote: quoted, hold } = await office.takeHold({ promo: 'FREE' });
    const order = must(await office.order(hold.id, quoted.id));
    const read = await office.readOrder(order.id);
    expect(must(await cancel(read, idsOf(read)))).toMatchObject({ status: 'canceled', refunds: [] });
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 0] });
  });
});

describe('who may cancel', () => {
  test('a guest needs the mailed code of this order; the link alone is not enough', async () => {
    const order = await buy({ adults: 2 });
    const other = await buy();
    const ids = firstOf(order);
    expect(codeOf(await cancel(order, ids, { proof: undefined }))).toBe('invalid_code');
    const { temp, code } = await mailCode(order);
    const wrong = code === '000000' ? '000001' : '000000';
    expect(codeOf(await cancel(order, ids, { proof: { temp, code: wrong } }))).toBe('invalid_code');
    expect(codeOf(await cancel(order, ids, { proof: await mailCode(other) }))).toBe('invalid_code');
    for (let guess = 0; guess < 4; guess += 1) {
      await office.database.store.query('delete from rate_limits');
      await cancel(order, ids, { proof: { temp, code: wrong } });
    }
    await office.database.store.query('delete from rate_limits');
    const late = await cancel(order, ids, { proof: { temp, code } });
    expect(late.body.errors).toEqual([
      {
        code: 'attempt_expired',
        field: 'proof.code',
        reason: 'code_used_up',
        message: 'That code can no longer be used. Ask for a new one.',
      },
    ]);
    expect(await office.readOrder(order.id)).toMatchObject({ status: 'confirmed' });
  });

  test('an order of a customer is canceled by that customer, without a code', async () => {
    const order = await buy();
    const holder = await cardHolder(office);
    await office.database.store.query('update orders set customer_id = $1', [holder.customer.id]);
    expect(order.needs_proof).toBe('code');
    expect(await office.readOrder(order.id)).toMatchObject({ needs_proof: 'sign_in' });
    expect((await quote(order, idsOf(order))).status).toBe(401);
    expect(codeOf(await post(api.mailCancellationCode.path, order))).toBe('unauthenticated');
    const quoted = must(await quote(order, idsOf(order), holder.token));
    expect(quoted).toMatchObject({
      needs_code: false,
      destinations: [{ network: 'visa', last_four: '4242' }],
    });
    const { version, refund } = quoted;
    const body = { ticket_ids: idsOf(order), version, refund };
    expect((await post(api.cancelTickets.path, order, body)).status).toBe(401);
    const canceled = must(await post(api.cancelTickets.path, order, body, holder.token));
    expect(canceled).toMatchObject({ status: 'canceled', needs_proof: 'none' });
  });
});

test('a mixed payment goes back in the proportion paid', async () => {
  const holder = await cardHolder(office);
  const card = await createTripCard(office.context, holder.customer.id, { balance: 5000 });
  const order = await office.takeOrder({ adults: 2 });
  await office.database.store.query('update orders set customer_id = $1', [holder.customer.id]);
  const started = must(
    await post(
      api.startPayment.path,
      order,
      { method: 'card', trip_card_id: card.id, trip_card_amount: 1000 },
      holder.token,
    ),
  );
  await office.confirmWith(started.client_secret.split('_secret')[0]);
  await office.provider.deliverNow();
  const paid = await office.readOrder(order.id);
  const ids = firstOf(paid);
  const { version, refund, destinations } = must(await quote(paid, ids, holder.token));
  expect(destinations.map(({ amount }: { amount: number }) => amount).toSorted()).toEqual([500, 775]);
  must(await post(api.cancelTickets.path, paid, { ticket_ids: ids, version, refund }, holder.token));
  await settle();
  const [row] = await office.database.store.query<{ balance: number }>(
    'select balance::int as balance from trip_cards where id = $1',
    [card.id],
  );
  expect(row?.balance).toBe(4500);
  expect(await office.readOrder(order.id)).toMatchObject({
    refunded: 1275,
    payment_status: 'partly_refunded',
  });
  expect(await findBrokenBooks(office.context)).toEqual([]);
});

describe('a refund to a trip card', () => {
  const allow = () =>
    office.database.store.query(
      `update orders set fare_policy = fare_policy || '{"refund_to": "trip_card"}'::jsonb`,
    );

  /** An unpaid order of a customer with a trip card, whose fare allows the choice. */
  async function orderAsOwner() {
    const holder = await cardHolder(office);
    const card = await createTripCard(office.context, holder.customer.id, { balance: 100 });
    const order = await office.takeOrder({ adults: 2 });
    await office.database.store.query('update orders set customer_id = $1', [holder.customer.id]);
    await allow();
    return { ...holder, card, order };
  }

  /** The provider's id of the order's payment, as started by a signed-in customer or a visitor. */
  const start = async (order: Bought, token?: string): Promise<string> =>
    must(await post(api.startPayment.path, order, { method: 'card' }, token)).client_secret.split(
      '_secret',
    )[0];

  async function buyAsOwner() {
    const owner = await orderAsOwner();
    await office.confirmWith(await start(owner.order, owner.token));
    await office.provider.deliverNow();
    const order = await office.readOrder(owner.order.id);
    return { ...owner, order, ids: firstOf(order) };
  }

  const balanceOf = async (cardId: string) => {
    const [row] = await office.database.store.query<{ balance: number }>(
      'select balance::int as balance from trip_cards where id = $1',
      [cardId],
    );
    return row?.balance;
  };

  test('is chosen by the owner, after a step-up, and arrives at once', async () => {
    const { customer, token, card, order, ids } = await buyAsOwner();
    const quoted = must(await quote(order, ids, token));
    expect(quoted.trip_cards).toEqual([
      { id: card.id, name: expect.any(String), last_four: card.number.slice(-4) },
    ]);
    const { version, refund } = quoted;
    const body = { ticket_ids: ids, version, refund, trip_card_id: card.id };
    const stale = await startSession(office.context, customer.id, { isFresh: false });
    const refused = await post(api.cancelTickets.path, order, body, stale);
    expect([refused.status, codeOf(refused)]).toEqual([403, 'step_up_required']);
    const canceled = must(await post(api.cancelTickets.path, order, body, token));
    expect(canceled).toMatchObject({
      payment_status: 'partly_refunded',
      refunded: 1275,
      refunds: [{ destination: 'trip_card', status: 'succeeded', amount: 1275 }],
    });
    await settle();
    expect((await office.stripe.refunds.list()).data).toEqual([]);
    const [row] = await office.database.store.query<{ balance: number }>(
      'select balance::int as balance from trip_cards where id = $1',
      [card.id],
    );
    expect(row?.balance).toBe(1375);
    expect(await findBrokenBooks(office.context)).toEqual([]);
  });

  test('is not offered by another fare, to a guest, for a frozen card, or after a payment by trip card', async () => {
    const { token, card, order, ids } = await buyAsOwner();
    const cards = async () => must(await quote(order, ids, token)).trip_cards;
    expect(await cards()).toHaveLength(1);
    const { version, refund } = must(await quote(order, ids, token));
    const set = (sql: string) => office.database.store.query(sql);
    for (const [change, undo] of [
      [`update orders set fare_policy = fare_policy - 'refund_to'`, null],
      [`update trip_cards set status = 'frozen'`, `update trip_cards set status = 'active'`],
      [`update payments set trip_card_id = '${card.id}', method = 'trip_card'`, null],
    ] as const) {
      await allow();
      await set(change);
      expect(await cards(), change).toEqual([]);
      const body = { ticket_ids: ids, version, refund, trip_card_id: card.id };
      expect(codeOf(await post(api.cancelTickets.path, order, body, token)), change).toBe('version_conflict');
      if (undo !== null) await set(undo);
    }
    await set('update orders set customer_id = null');
    expect(must(await quote(order, ids)).trip_cards).toEqual([]);
  });

  test('is not offered for an order that another person paid, or could have paid, by its link', async () => {
    for (const payers of [['visitor'], ['stranger'], ['owner', 'visitor'], ['visitor', 'owner']] as const) {
      await office.reopen();
      const owner = await orderAsOwner();
      const stranger = await cardHolder(office, { email: 'eve@example.com' });
      const tokens = { owner: owner.token, stranger: stranger.token, visitor: undefined };
      let intent = '';
      for (const payer of payers) intent = await start(owner.order, tokens[payer]);
      await office.confirmWith(intent);
      await office.provider.deliverNow();
      const order = await office.readOrder(owner.order.id);
      const ids = firstOf(order);
      const { version, refund, trip_cards } = must(await quote(order, ids, owner.token));
      expect(trip_cards, String(payers)).toEqual([]);
      const body = { ticket_ids: ids, version, refund, trip_card_id: owner.card.id };
      expect(codeOf(await post(api.cancelTickets.path, order, body, owner.token))).toBe('version_conflict');
    }
  });

  describe('whose payment the bank takes back', () => {
    /** A refund to the trip card of an order whose payment is disputed; the webhook of the dispute is on its way. */
    async function refundDisputed() {
      const owner = await orderAsOwner();
      const intent = await start(owner.order, owner.token);
      await office.confirmWith(intent, 'pm_card_createDispute');
      const [payment] = (await office.readOrder(owner.order.id)).payments;
      await office.readPayment(owner.order.id, payment.id);
      const order = await office.readOrder(owner.order.id);
      const ids = idsOf(order);
      const { version, refund } = must(await quote(order, ids, owner.token));
      const body = { ticket_ids: ids, version, refund, trip_card_id: owner.card.id };
      must(await post(api.cancelTickets.path, order, body, owner.token));
      expect(await balanceOf(owner.card.id)).toBe(2650);
      const [dispute] = (await office.stripe.disputes.list({ payment_intent: intent })).data;
      return { ...owner, dispute: dispute?.id ?? '' };
    }
    const end = (dispute: string, evidence: string) =>
      office.stripe.disputes.update(dispute, { evidence: { uncategorized_text: evidence }, submit: true });
    const spendAll = (card: { id: string }, customerId: string, amount: number) =>
      office.context.db.transaction((tx) =>
        spend(tx, office.context, {
          ...{ cardId: card.id, customerId, amount, orderId: null },
          ...{ cause: { code: 'tickets', reference: 'K7QF-2M9P' }, key: crypto.randomUUID() },
        }),
      );

    test('leaves the trip card, with a mail, and comes back when the dispute is won', async () => {
      const { customer, card, dispute } = await refundDisputed();
      await office.provider.deliverNow();
      expect(await balanceOf(card.id)).toBe(100);
      expect((await mailsTo(office.context, customer.email)).map(({ kind }) => kind)).toContain(
        'trip-card-disputed',
      );
      await end(dispute, 'winning_evidence');
      await office.provider.deliverNow();
      expect(await balanceOf(card.id)).toBe(2650);
      expect(await findBrokenBooks(office.context)).toEqual([]);
    });

    test('stays off the trip card when the dispute is lost, and what was spent is owed', async () => {
      const { customer, card, dispute, order } = await refundDisputed();
      await spendAll(card, customer.id, 2000);
      await office.provider.deliverNow();
      expect(await balanceOf(card.id)).toBe(0);
      const owed = () => office.database.store.query(`select amount::int, settled::int from trip_card_debts`);
      expect(await owed()).toEqual([{ amount: 1900, settled: 0 }]);
      await end(dispute, 'losing_evidence');
      await office.provider.deliverNow();
      expect(await balanceOf(card.id)).toBe(0);
      expect(await owed()).toEqual([{ amount: 1900, settled: 0 }]);
      expect(await office.readOrder(order.id)).toMatchObject({ paid: 2550, refunded: 2550 });
      await office.context.db.transaction((tx) =>
        postEntry(tx, office.context, {
          ...{ tripCardId: card.id, kind: 'adjustment', amount: 2000, description: 'Goodwill' },
          ...{ actor: 'staff', idempotencyKey: crypto.randomUUID() },
        }),
      );
      expect(await balanceOf(card.id)).toBe(100);
      expect(await owed()).toEqual([{ amount: 1900, settled: 1900 }]);
      expect(await findBrokenBooks(office.context)).toEqual([]);
    });
  });

  test('to the card of another customer is refused', async () => {
    const { token, order, ids } = await buyAsOwner();
    const other = await cardHolder(office, { email: 'other@example.com' });
    const card = await createTripCard(office.context, other.customer.id);
    const { version, refund, trip_cards } = must(await quote(order, ids, token));
    expect(trip_cards.map(({ id }: Bought) => id)).not.toContain(card.id);
    const body = { ticket_ids: ids, version, refund, trip_card_id: card.id };
    expect(codeOf(await post(api.cancelTickets.path, order, body, token))).toBe('version_conflict');
    expect(await office.readOrder(order.id)).toMatchObject({ status: 'confirmed' });
  });
});

describe('the operator’s command', () => {
  const run = (...args: string[]) => runCommandLine(office, refundCommand, ...args);

  /** Runs the command as its preview says. */
  async function runConfirmed(...args: string[]) {
    const preview = await run(...args);
    const [, number] = /--confirm (\d+)/.exec(preview.stdout) ?? [];
    return number ? run(...args, '--reason', 'The captain was rude.', '--confirm', number) : preview;
  }

  test('cancels the tickets with the named boarding codes in full', async () => {
    const order = await buy({ adults: 3 });
    office.clock.advance(HOUR);
    const [first, second] = order.tickets;
    const codes = `${first.boarding_code},${second.boarding_code.toLowerCase().replace(' ', '')}`;
    const { stdout } = await runConfirmed(order.reference, '--tickets', codes);
    expect(stdout).toContain('is canceled in part.');
    expect(stdout).toContain('$25.50 back to the payment card: requested.');
    expect(await office.readOrder(order.id)).toMatchObject({ status: 'partly_canceled' });
    expect((await run(order.reference, '--tickets', first.boarding_code)).stderr).toContain(
      'is not the boarding code of a ticket of this order',
    );
  });

  test('shows what it would do, and does it once with a reason and the number of the preview', async () => {
    const order = await buy({ adults: 2 });
    const before = await office.readOrder(order.id);
    const { stdout } = await run(order.reference, '--amount', '5.00');
    expect(stdout).toMatch(/^Nothing is changed yet\.[\s\S]*\$5\.00 back to the payment card: requested\./);
    expect(await office.readOrder(order.id)).toEqual(before);
    expect(await office.count('refunds')).toBe(0);
    const confirmed = ['--amount', '5.00', '--confirm', /--confirm (\d+)/.exec(stdout)?.[1] ?? ''];
    expect((await run(order.reference, ...confirmed)).stderr).toMatch(/^Say why with --reason TEXT\./);
    const command = [order.reference, ...confirmed, '--reason', 'Two hours in the rain'];
    expect((await run(...command)).exitCode).toBe(0);
    expect((await run(...command)).stderr).toMatch(/^The order has changed since the preview/);
    expect(await office.database.store.query('select amount::int, note from refunds')).toEqual([
      { amount: 500, note: 'Two hours in the rain' },
    ]);
  });

  test('refunds an amount without canceling, at most what is left', async () => {
    const order = await buy({ adults: 2 });
    expect((await runConfirmed(order.reference, '--amount', '5.00')).exitCode).toBe(0);
    expect(await office.readOrder(order.id)).toMatchObject({
      status: 'confirmed',
      refunds: [{ amount: 500, reason: 'goodwill' }],
    });
    expect((await run(order.reference, '--amount', '20.51')).stderr).toContain('Only $20.50 is left');
    expect((await run(order.reference, '--amount', '1.005')).stderr).toContain('is not an amount');
    expect((await run(order.reference, '--amount', '1', '--only-failed')).stderr).toContain('only one of');
    await runConfirmed(order.reference);
    const amounts = (await office.readOrder(order.id)).refunds.map(
      ({ amount }: { amount: number }) => amount,
    );
    expect(amounts).toEqual([500, 2050]);
  });
});
