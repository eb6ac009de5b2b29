import PDFDocument from 'pdfkit';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { cardCurrencyCodes, findCardCurrency } from '#contract/payments/card-currencies.ts';
import { readConfig } from '#server/config.ts';
import { createVault } from '#server/core/vault.ts';
import { buildCalendarFile } from '#server/documents/calendar-file.ts';
import { buildTicketsPdf } from '#server/documents/tickets-pdf.ts';
import { findConfirmedDocument, type TravelDocument } from '#server/documents/travel-document.ts';
import { renderText } from '#server/mail/mail-content.ts';
import { orderMailContent } from '#server/mail/templates/order.ts';
import { createTicketSigner } from '#server/orders/tickets/keys.ts';
import { fromProviderMoney, toProviderMoney } from '#server/payments/provider/provider-amounts.ts';
import { buildConfirmedOrder } from '#tests/factories/confirmed-order.ts';
import { readNumber, writeSample } from '#tests/factories/currencies.ts';
import { demoSettings } from '#tests/factories/settings.ts';
import { openTestDatabase, type TestDatabase } from '#tests/setup/database.ts';

const clock = { now: () => new Date('2026-06-01T15:00:00Z') };
const config = readConfig({});
let database: TestDatabase;
let document: TravelDocument;

beforeAll(async () => {
  database = await openTestDatabase();
  const vault = createVault('a secret of the tests, thirty-two or more');
  const ticketSigner = await createTicketSigner({ db: database.db, vault, clock });
  const order = await buildConfirmedOrder({ db: database.db, clock, ticketSigner });
  const stored = await findConfirmedDocument(database.db, order.id);
  if (!stored) throw new Error('The order is not there.');
  document = stored;
});
afterAll(() => database.close());

function withOrder(changes: Partial<TravelDocument['order']>): TravelDocument {
  const farePolicy = {
    ...document.order.farePolicy,
    change: { allowed: true, fee: 123_450, until_minutes: 60 },
  };
  const sums = { subtotal: 123_450, total: 123_450, paid: 123_450 };
  return { ...document, order: { ...document.order, ...sums, farePolicy, ...changes } };
}

function writeMail(changes: Partial<TravelDocument['order']>): string {
  const mail = { document: withOrder(changes), settings: demoSettings, origin: config.origins.tickets };
  return renderText(orderMailContent('order-confirmed', mail));
}

async function drawPdf(changes: Partial<TravelDocument['order']>): Promise<string> {
  const drawn = vi.spyOn(PDFDocument.prototype, 'text');
  const tickets = document.tickets.slice(0, 1);
  await buildTicketsPdf({ ...withOrder(changes), tickets }, demoSettings);
  const texts = drawn.mock.calls.map(([text]) => String(text));
  drawn.mockRestore();
  return texts.join('\n');
}

describe('An order’s mail and PDF', () => {
  test.each(cardCurrencyCodes)('write sums and fees in %s with the digits of ISO 4217', (currency) => {
    const text = writeMail({ currency });
    const fee = /Change your sailing for (.*?) until/.exec(text)?.[1] ?? '';
    const total = /Total\W+(.*\d)/.exec(text)?.[1] ?? '';
    const sample = writeSample(currency);
    expect(readNumber(fee)).toBe(sample);
    expect(readNumber(total)).toBe(
      sample.replace('123,450', '12,050').replace('123.450', '12.050').replace('1,234.50', '120.50'),
    );
  });

  test.each(cardCurrencyCodes)(
    'the PDF writes the sum in %s with the digits of ISO 4217',
    async (currency) => {
      expect(await drawPdf({ currency })).toContain(writeSample(currency));
    },
  );

  test('write dates, times and money in the form of the order’s region, the rules as well', async () => {
    const order = { currency: 'NZD', locale: 'en-NZ' };
    for (const text of [writeMail(order), await drawPdf(order)]) {
      expect(text).toContain('Fri, 5 June 2026');
      expect(text).toMatch(/Change your sailing for \$1,234\.50 until Fri, 5 Jun, 8:30 am PDT/);
      expect(text).not.toMatch(/NZ\$|\d [AP]M|June 5/);
    }
  });

  test('write English dates for an order whose locale is another language', async () => {
    for (const text of [writeMail({ locale: 'sv-SE' }), await drawPdf({ locale: 'sv-SE' })]) {
      expect(text).toContain('Fri, June 5, 2026');
    }
    const calendar = buildCalendarFile(withOrder({ locale: 'sv-SE' }), { config, brandName: 'Ferry' });
    expect(calendar).toContain('Check in by 9:');
  });
});

test.each(cardCurrencyCodes)('A charge in %s is the amount that mail and PDF write', (currency) => {
  // A hundred times the sample, because some currencies are charged in whole units only.
  const charge = toProviderMoney({ amount: 12_345_000, currency });
  const digits = findCardCurrency(currency)?.digits ?? 0;
  expect(charge.amount / 10 ** digits).toBeCloseTo(100 * Number(writeSample(currency).replace(',', '')), 6);
  expect(fromProviderMoney(charge)).toEqual({ amount: 12_345_000, currency });
});
