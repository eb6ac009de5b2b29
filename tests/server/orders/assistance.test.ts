import { randomUUID } from 'node:crypto';
import { and, eq, sql } from 'drizzle-orm';
import PDFDocument from 'pdfkit';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { orders } from '#server/database/schema/sales.ts';
import { mails } from '#server/database/schema/system.ts';
import { sailings } from '#server/database/schema/timetable.ts';
import { buildTicketsPdf } from '#server/documents/tickets-pdf.ts';
import { findTravelDocument, type TravelDocument } from '#server/documents/travel-document.ts';
import { renderText } from '#server/mail/mail-content.ts';
import { type OrderMailKind, orderMailContent } from '#server/mail/templates/order.ts';
import { listPassengers } from '#server/operations/manifest.ts';
import { retentionRules } from '#server/register-jobs.ts';
import { applyRetention } from '#server/retention.ts';
import { codeOf, contact, must, type Office, openOffice, termsVersion } from '#tests/factories/buyer.ts';
import { changesOf } from '#tests/factories/changes.ts';
import { createCustomer, startSession } from '#tests/factories/customers.ts';
import { demoSettings } from '#tests/factories/settings.ts';
import { findHardSentences } from '#tests/factories/wording.ts';

const ASKED = [{ traveler: 2, needs: ['wheelchair', 'boarding'], note: 'Quackenbush lift' }];
const TEXT = 'Travels in a wheelchair; Help on the way to and from the boat; Quackenbush lift';
let office: Office;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(() => reopen(20));

/** The first sailing leaves in 24 hours. */
async function reopen(noticeHours: number | null): Promise<void> {
  await office.reopen();
  await office.context.db.execute(sql`update feed set assistance_notice_hours = ${noticeHours}`);
}

type PurchaseOptions = Parameters<Office['takeHold']>[0];

/** A confirmed order of a signed-in customer, or of a guest. */
async function buy(token: string | null, input: PurchaseOptions = {}, assistance: unknown = ASKED) {
  const { quote, hold } = await office.takeHold({ adults: 2, promo: 'FREE', ...input });
  const order = must(
    await office.request('POST', '/api/orders', {
      body: { hold_id: hold.id, quote_id: quote.id, contact, terms_version: termsVersion, assistance },
      idempotencyKey: randomUUID(),
      ...(token ? { token } : {}),
    }),
  );
  return { order, buyer_secret: order.buyer_secret };
}

async function signIn(): Promise<string> {
  const { id } = await createCustomer(office.context);
  return startSession(office.context, id);
}

async function stored(id: string) {
  const [order] = await office.context.db.select().from(orders).where(eq(orders.id, id));
  return order?.assistance;
}
const change = (id: string, body: object, token?: string) =>
  office.request('PATCH', `/api/orders/${id}`, { body, ...(token ? { token } : {}) });

async function readDocument(orderId: string): Promise<TravelDocument> {
  const document = await findTravelDocument(office.context.db, orderId);
  if (!document) throw new Error('The order is not there.');
  return document;
}

async function writeMail(orderId: string, kind: OrderMailKind = 'order-confirmed'): Promise<string> {
  const document = await readDocument(orderId);
  return renderText(orderMailContent(kind, { document, settings: demoSettings, origin: '' }));
}

/** The column that the crew of a sailing reads, of each passenger. */
async function readManifest(sailingId: string) {
  const [sailing] = await office.context.db.select().from(sailings).where(eq(sailings.id, sailingId));
  const { columns, rows } = await listPassengers(office.context.db, { id: sailing?.voyageId ?? '' });
  return rows.map((row) => row[columns.indexOf('assistance')]);
}

async function countMails(orderId: string): Promise<number> {
  const { db } = office.context;
  return db.$count(mails, and(eq(mails.orderId, orderId), eq(mails.kind, 'order-assistance-changed')));
}

test('the owner, the crew and the order’s mail tell it, and no link does', async () => {
  const token = await signIn();
  const { order } = await buy(token);
  expect(order.assistance).toEqual({
    travelers: [{ ...ASKED[0], who: 'Adult (2 of 2)', text: TEXT }],
    notice: '',
  });
  const own = must(await office.request('GET', `/api/orders/${order.id}`, { token }));
  expect(own.assistance).toEqual(order.assistance);
  expect(await writeMail(order.id)).toContain(`Adult (2 of 2): ${TEXT}`);
  expect(await readManifest(order.legs[0].sailing_id)).toEqual(['', TEXT]);

  const shared = must(
    await office.request('POST', `/api/orders/${order.id}/shares`, {
      body: { ticket_ids: [order.tickets[1].id] },
      idempotencyKey: randomUUID(),
      token,
    }),
  );
  const link = `/api/shared_tickets/${shared.url.split('/').at(-1)}`;
  const files = ['', '/tickets', '/calendar.ics'].map((file) => `/api/orders/${order.id}${file}`);
  for (const path of [...files, link, `${link}/calendar.ics`]) {
    const { status, body } = await office.request('GET', path);
    expect(status, path).toBe(200);
    expect(JSON.stringify(body), path).not.toMatch(/assist|heelchair|Quackenbush/);
  }
  const list = await office.request('GET', '/api/customers/orders', { token });
  expect(JSON.stringify([list.body, office.logged])).not.toMatch(/heelchair|Quackenbush/);
});

test('of each PDF only those for the owner show it, on the ticket of the traveler', async () => {
  const document = await readDocument((await buy(null)).order.id);
  const drawn = vi.spyOn(PDFDocument.prototype, 'text');
  await buildTicketsPdf(document, demoSettings);
  expect(drawn.mock.calls.map(([text]) => text)).not.toContain(TEXT);
  await buildTicketsPdf(document, demoSettings, { showsAssistance: true });
  expect(drawn.mock.calls.filter(([text]) => text === TEXT)).toHaveLength(1);
  drawn.mockRestore();
});

test('asked for later than the operator wants, it is accepted with the departures that cannot be promised', async () => {
  await reopen(48);
  const [out = ''] = office.ferry.outward;
  const back = office.ferry.back.at(-1) ?? '';
  const { order } = await buy(await signIn(), { legs: [out, back] });
  expect(order.assistance.notice).toBe(
    'We have less than 48 hours’ notice for the departure from North Quay and South Quay. We try to help, but cannot promise it.',
  );
  expect(findHardSentences(order.assistance.notice)).toEqual([]);
  await reopen(30);
  const [soon = ''] = office.ferry.outward;
  const late = office.ferry.back.at(-1) ?? '';
  const mixed = await buy(await signIn(), { legs: [soon, late] });
  expect(mixed.order.assistance.notice).toContain('the departure from North Quay. We try');
});

test.each([
  ['more travelers than the order has', [{ traveler: 3, needs: ['sight'] }], 'assistance'],
  ['a traveler twice', [ASKED[0], ASKED[0]], 'assistance'],
  ['an unknown need', [{ traveler: 1, needs: ['luggage'] }], 'assistance.0.needs.0'],
  ['a long note', [{ traveler: 1, needs: [], note: 'x'.repeat(201) }], 'assistance.0.note'],
  ['a hidden character', [{ traveler: 1, needs: [], note: 'a\u202eb' }], 'assistance.0.note'],
])('refuses %s', async (_, assistance, field) => {
  const { quote, hold } = await office.takeHold({ adults: 2, promo: 'FREE' });
  const reply = await office.order(hold.id, quote.id, { assistance });
  expect([reply.status, codeOf(reply), reply.body.errors[0].field]).toEqual([422, 'invalid_input', field]);
});

test('is refused where the operator takes no requests online, and an empty list is none', async () => {
  await reopen(null);
  const { order, buyer_secret } = await buy(null, {}, [{ traveler: 1, needs: [], note: ' ' }]);
  expect(await stored(order.id)).toBeNull();
  expect(codeOf(await change(order.id, { assistance: ASKED, buyer_secret }))).toBe('invalid_input');
});

test('after the payment only the owner, or the guest’s own browser, changes it or takes it back', async () => {
  const { order, buyer_secret } = await buy(null);
  expect(codeOf(await change(order.id, { assistance: [] }))).toBe('change_not_allowed');
  expect(must(await change(order.id, { assistance: [], buyer_secret })).assistance).toBeUndefined();
  expect(await stored(order.id)).toBeNull();
  const token = await signIn();
  const owned = await buy(token);
  expect((await change(owned.order.id, { assistance: [] })).status).toBe(404);
  expect((await change(owned.order.id, { assistance: [] }, await signIn())).status).toBe(404);
  const assistance = [{ traveler: 1, needs: ['hearing'] }];
  expect(must(await change(owned.order.id, { assistance }, token)).assistance.travelers).toMatchObject([
    { traveler: 1, text: 'Deaf or hard of hearing' },
  ]);
});

test('a change after the payment reaches the crew and is mailed to the buyer, once', async () => {
  const token = await signIn();
  const { order } = await buy(token);
  const assistance = [{ traveler: 1, needs: ['sight'], note: 'Guide dog' }];
  for (let repeat = 0; repeat < 2; repeat += 1) must(await change(order.id, { assistance }, token));
  expect(await readManifest(order.legs[0].sailing_id)).toEqual(['Blind or low vision; Guide dog', '']);
  expect(await countMails(order.id)).toBe(1);
  const mail = await writeMail(order.id, 'order-assistance-changed');
  expect(mail).toContain('Adult (1 of 2): Blind or low vision; Guide dog');

  must(await change(order.id, { traveler_names: ['Bo'] }, token));
  must(await change(order.id, { assistance: [] }, token));
  expect(await countMails(order.id)).toBe(2);
  expect(await writeMail(order.id, 'order-assistance-changed')).toContain('You no longer ask for assistance');
  for (let repeat = 0; repeat < 7; repeat += 1) must(await change(order.id, { assistance }, token));
  expect(codeOf(await change(order.id, { assistance: [] }, token))).toBe('rate_limited');
});

test('a change counts its notice from then on, unless it asks for less', async () => {
  const token = await signIn();
  const { order } = await buy(token);
  office.clock.advance(10 * 3_600_000);
  const less = [{ traveler: 2, needs: ['boarding'] }];
  expect(must(await change(order.id, { assistance: less }, token)).assistance.notice).toBe('');
  const more = [{ traveler: 2, needs: ['boarding', 'hearing'] }];
  expect(must(await change(order.id, { assistance: more }, token)).assistance.notice).toContain(
    'less than 20 hours’ notice',
  );
  office.clock.advance(14 * 3_600_000);
  expect(codeOf(await change(order.id, { assistance: less }, token))).toBe('order_closed');
});

test('stays on another sailing, and goes with the traveler who no longer travels', async () => {
  const buyer = changesOf(office);
  const token = await signIn();
  const [, later = ''] = office.ferry.outward;
  const { order } = await buy(token, { children: 1 });
  const read = async () => must(await office.request('GET', `/api/orders/${order.id}`, { token }));
  must(await buyer.change(order, [{ direction: 'out', to: [later], adults: 2, children: 1 }], { token }));
  expect((await read()).assistance.travelers).toMatchObject([{ traveler: 2, text: TEXT }]);
  must(
    await buyer.change(await read(), [{ direction: 'out', to: [later], adults: 1, children: 2 }], { token }),
  );
  expect(await stored(order.id)).toBeNull();
});

test('goes with canceled tickets, and two months after the trip', async () => {
  const token = await signIn();
  const { order } = await buy(token);
  const ticketIds = [order.tickets[1].id];
  const quoted = must(
    await office.request('POST', `/api/orders/${order.id}/cancellations/quote`, {
      body: { ticket_ids: ticketIds },
      token,
    }),
  );
  must(
    await office.request('POST', `/api/orders/${order.id}/cancellations`, {
      body: { ticket_ids: ticketIds, refund: quoted.refund, version: quoted.version },
      idempotencyKey: randomUUID(),
      token,
    }),
  );
  expect(await stored(order.id)).toBeNull();

  const past = (await buy(token)).order.id;
  office.clock.advance(60 * 86_400_000);
  await applyRetention(office.context, retentionRules);
  expect(await stored(past)).not.toBeNull();
  office.clock.advance(4 * 86_400_000);
  await applyRetention(office.context, retentionRules);
  expect(await stored(past)).toBeNull();
});
