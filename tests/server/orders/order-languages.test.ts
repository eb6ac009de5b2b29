import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { refundCommand } from '#server/commands/refund-order.ts';
import { sailingsCommand } from '#server/commands/sailings.ts';
import { fareClasses, passengerTypes } from '#server/database/schema/timetable.ts';
import { findTravelDocument } from '#server/documents/travel-document.ts';
import { renderText } from '#server/mail/mail-content.ts';
import { type OrderMailKind, orderMailContent } from '#server/mail/templates/order.ts';
import { must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { demoSettings } from '#tests/factories/settings.ts';
import { runCommandLine } from '#tests/setup/command-line.ts';

let office: Office;
let order: { id: string; reference: string };
beforeAll(async () => {
  office = await openOffice();
  const vehicle = { type: 'car', length_cm: 450, trailer_cm: 200 };
  const quote = must(await office.quote({ adults: 2, vehicle, bicycles: 1 }));
  const hold = must(await office.hold(quote.id));
  order = must(await office.order(hold.id, quote.id, { locale: 'de' }));
  const { client_secret: secret } = must(await office.pay(order.id));
  await office.confirmWith(String(secret).split('_secret', 1)[0] ?? '');
  await office.provider.deliverNow();
});
afterAll(() => office.close());

async function readIn(language: string, path = '') {
  const headers = { 'accept-language': language };
  return must(await office.request('GET', `/api/orders/${order.id}${path}`, { headers }));
}

async function writeMail(kind: OrderMailKind): Promise<string> {
  const document = await findTravelDocument(office.context.db, order.id);
  if (!document) throw new Error('The order is not there.');
  return renderText(
    orderMailContent(kind, {
      ...{ document, settings: demoSettings, origin: 'https://example.com', cancellationId: null },
    }),
  );
}

test('prices and tickets are described in the reader’s language, with the operator’s names', async () => {
  const describe = ({ lines, tickets }: Awaited<ReturnType<typeof readIn>>) => [
    ...lines.map(({ description }: { description: string }) => description),
    ...tickets.map(({ title }: { title: string }) => title),
  ];
  expect(describe(await readIn('en'))).toEqual([
    ...['Adult', 'Adult, driver', 'Car with trailer', 'Bicycle'],
    ...['Adult', 'Adult, driver', 'Car with trailer, 5KJH 220', 'Bicycle'],
  ]);
  expect(describe(await readIn('de'))).toEqual([
    ...['Adult', 'Adult, Fahrer', 'Car mit Anhänger', 'Fahrrad'],
    ...['Adult', 'Adult, Fahrer', 'Car mit Anhänger, 5KJH 220', 'Fahrrad'],
  ]);
  expect(await readIn('fr', '/tickets')).toContainEqual(expect.objectContaining({ title: 'Vélo' }));
  expect(await writeMail('order-confirmed')).toContain('Fahrrad');
});

test('the operator’s names are in the reader’s language, until the operator changes them', async () => {
  const { db } = office.context;
  const change = (values: { name?: string; translations?: Record<string, string> }) =>
    db.update(passengerTypes).set(values).where(eq(passengerTypes.code, 'adult'));
  const describe = async () => {
    const { lines, fare_class } = await readIn('de');
    return [lines[0].description, lines[1].description, fare_class.name];
  };
  await change({ translations: { 'name@de': 'Erwachsene' } });
  await db.update(fareClasses).set({ translations: { 'name@de': 'Spartarif' } });
  expect(await describe()).toEqual(['Erwachsene', 'Erwachsene, Fahrer', 'Spartarif']);
  expect(await writeMail('order-confirmed')).toContain('Erwachsene, Fahrer');
  await change({ name: 'Grown-up' });
  expect((await describe())[0]).toBe('Adult');
  await change({ name: 'Adult', translations: {} });
  await db.update(fareClasses).set({ translations: {} });
});

test('an order’s mails stay in the language in which it was bought', async () => {
  expect(await writeMail('order-confirmed')).toContain('Ihre Tickets');
});

test('what happened to an order is told in the reader’s language', async () => {
  const ticket = (await readIn('en')).tickets.find(({ kind }: { kind: string }) => kind === 'bicycle');
  const { version } = await readIn('en');
  const { stdout } = await runCommandLine(
    office,
    ...([refundCommand, order.reference, '--tickets', ticket.boarding_code] as const),
    ...['--reason', 'No room for it', '--confirm', String(version)],
  );
  expect(stdout).toContain('is canceled in part');
  expect((await readIn('en')).notice).toBe('Some tickets of this order were canceled.');
  expect((await readIn('de')).notice).toBe('Einige Tickets dieser Buchung wurden storniert.');
});

test('a canceled sailing says why in the reader’s language, and in the mail in the order’s', async () => {
  const [sailing = ''] = office.ferry.outward;
  await runCommandLine(office, sailingsCommand, 'cancel', sailing, '--reason', 'weather');
  expect(await readIn('en')).toMatchObject({
    legs: [{ status_text: 'Canceled because of the weather.' }],
    notice: expect.stringContaining('We are sorry: your sailing is canceled.'),
  });
  expect(await readIn('fr')).toMatchObject({
    legs: [{ status_text: 'Annulé pour cause de mauvais temps.' }],
  });
  expect(await writeMail('sailing-canceled')).toContain('Fällt wegen des Wetters aus.');
});
