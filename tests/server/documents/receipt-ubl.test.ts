import { InvoiceService, invoiceSchema } from '@e-invoice-eu/core';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { convert } from 'xmlbuilder2';
import { getContainedTax, getCurrencyExponent, toDecimal } from '#domain/fares/money.ts';
import type { ElectronicTerms } from '#server/database/schema/accounting.ts';
import { buildReceiptUbl, type UblSheet } from '#server/documents/receipt-ubl.ts';

type Line = UblSheet['content']['lines'][number];
type Tree = { [name: string]: Tree | Tree[] | string };

const line = (gross: number, taxBp: number, over: Partial<Line> = {}): Line => ({
  ...{ text: 'Adult, Kiel to Oslo', quantity: 1, taxBp, gross, tax: getContainedTax(gross, taxBp) },
  ...over,
});
const zeroRated: ElectronicTerms['zeroTax'] = { category: 'zero_rated', reason: null };

function sheet(lines: Line[], over: Partial<UblSheet['content']> = {}, currency = 'EUR'): UblSheet {
  const total = lines.reduce((sum, { gross }) => sum + gross, 0);
  const isReceipt = total >= 0;
  return {
    ...{ number: isReceipt ? 'R-2026-000017' : 'C-2026-000004', kind: isReceipt ? 'receipt' : 'credit_note' },
    ...{ refersTo: isReceipt ? null : 'R-2026-000017', total, currency },
    content: {
      ...{ language: 'en', reference: 'V9FG-NE6P', issuedOn: '2026-06-01' },
      seller: { name: 'Fähren & Söhne', address: '1 Dock, Antwerp', taxNumber: 'BE 0123.456.789' },
      recipient: { name: 'Kelp <Sons>', address: '5 Shore Road, Cork', taxNumber: 'IE1234567T' },
      electronic: { sellerCountry: 'BE', recipientCountry: 'IE', zeroTax: zeroRated },
      ...{ lines, ...over },
    },
  };
}

function write(of: UblSheet): { xml: string; root: Tree } {
  const xml = buildReceiptUbl(of);
  if (xml === null) throw new Error('There is no file.');
  const [root] = Object.values(convert(xml, { format: 'object' }) as Record<string, Tree>);
  if (!root) throw new Error('There is no root.');
  return { xml, root };
}

const listOf = (value: Tree[string] | undefined): Tree[] =>
  value === undefined ? [] : ((Array.isArray(value) ? value : [value]) as Tree[]);
const at = (tree: Tree, ...path: string[]): Tree =>
  path.reduce((inner, name) => (inner[name] ?? {}) as Tree, tree);
const textAt = (tree: Tree, ...path: string[]): string => {
  const found = at(tree, ...path) as unknown;
  return typeof found === 'string' ? found : String((found as Tree)['#']);
};
/** In minor units. */
const amountAt = (tree: Tree, ...path: string[]) =>
  Math.round(Number(textAt(tree, ...path)) * scaleOf(textAt(tree, ...path, '@currencyID')));
const scaleOf = (currency: string) => 10 ** getCurrencyExponent(currency);
const linesOf = (root: Tree) => listOf(root['cac:InvoiceLine'] ?? root['cac:CreditNoteLine']);
const subtotalsOf = (root: Tree) => listOf(at(root, 'cac:TaxTotal')['cac:TaxSubtotal']);
const sum = (amounts: number[]) => amounts.reduce((all, amount) => all + amount, 0);

type Schema = { type?: string; properties?: Record<string, Schema>; items?: Schema };

/** A document as the other library takes it: attributes beside their elements, and lists where its schema has them. */
function toForeign(value: Tree | string, schema: Schema): unknown {
  if (typeof value === 'string') return value;
  const fields = Object.entries(value).flatMap(([key, inner]): [string, unknown][] => {
    if (key.startsWith('@')) return [];
    const name = key
      .replace('CreditNoteTypeCode', 'InvoiceTypeCode')
      .replace('CreditNoteLine', 'InvoiceLine');
    const property = name.replace('CreditedQuantity', 'InvoicedQuantity');
    const own = schema.properties?.[property] ?? {};
    const each = (item: Tree | string) => toForeign(item, own.items ?? own);
    if (own.type === 'array') return [[property, listOf(inner).map(each)]];
    if (typeof inner === 'string' || Array.isArray(inner) || inner['#'] === undefined)
      return [[property, each(inner as Tree)]];
    const attributes = Object.entries(inner).filter(([attribute]) => attribute.startsWith('@'));
    return [
      [property, inner['#']],
      ...attributes.map(([attribute, text]) => [property + attribute, text] as [string, unknown]),
    ];
  });
  return Object.fromEntries(fields);
}

/**
 * Checks a document with a library that the product does not use: it is valid by that library's schema with its code lists,
 * and the library writes the same XML from the same facts. The schema is that of Peppol BIS Billing, so that other documents
 * get an address in that network for the check.
 */
async function expectValid(of: UblSheet): Promise<void> {
  const { xml, root } = write(of);
  const schema = (invoiceSchema as Schema).properties?.['ubl:Invoice'] ?? {};
  const isPeppol = textAt(root, 'cbc:CustomizationID').includes('peppol');
  const endpoint = { 'cbc:EndpointID': { '@schemeID': 'EM', '#': 'a@b.example' } };
  for (const name of isPeppol ? [] : ['cac:AccountingSupplierParty', 'cac:AccountingCustomerParty']) {
    root[name] = { 'cac:Party': { ...endpoint, ...at(root, name, 'cac:Party') } };
  }
  const invoice = { 'ubl:Invoice': toForeign(root, schema) } as never;
  const service = new InvoiceService({ log() {}, warn() {}, error() {} } as never);
  const other = await service.generate(invoice, { format: 'UBL', lang: 'en', noWarnings: true });
  if (!isPeppol) return;
  const read = (text: string) => JSON.stringify(convert(text, { format: 'object' }));
  const withoutNames = (text: string) => text.replaceAll(/"@xmlns[^"]*":"[^"]*",/g, '');
  expect(withoutNames(read(String(other)))).toBe(withoutNames(read(xml)));
}

/**
 * The arithmetic rules of EN 16931, and those that the categories of tax add. What the norm permits and a currency may not keep
 * holds for documents that claim to follow it.
 */
function expectArithmetic(of: UblSheet): void {
  const { root, xml } = write(of);
  const claims = root['cbc:CustomizationID'] !== undefined;
  const scale = scaleOf(of.currency);
  // BR-DEC-09 to BR-DEC-23.
  expect(claims && /Amount currencyID="[A-Z]+">[^<]*\.\d{3}/.test(xml.replaceAll(/<cbc:Price.*/g, ''))).toBe(
    false,
  );
  const totals = at(root, 'cac:LegalMonetaryTotal');
  const [lines, subtotals] = [linesOf(root), subtotalsOf(root)];
  const net = amountAt(totals, 'cbc:LineExtensionAmount');
  const tax = amountAt(root, 'cac:TaxTotal', 'cbc:TaxAmount');
  const gross = amountAt(totals, 'cbc:TaxInclusiveAmount');
  // What we store.
  expect(gross).toBe(Math.abs(of.total));
  expect(tax).toBe(Math.sign(of.total) * sum(of.content.lines.map((each) => each.tax)) + 0);
  // BR-CO-10, BR-CO-13, BR-CO-14, BR-CO-15, BR-CO-16.
  expect(sum(lines.map((each) => amountAt(each, 'cbc:LineExtensionAmount')))).toBe(net);
  expect(amountAt(totals, 'cbc:TaxExclusiveAmount')).toBe(net);
  expect(sum(subtotals.map((each) => amountAt(each, 'cbc:TaxAmount')))).toBe(tax);
  expect(net + tax).toBe(gross);
  expect(amountAt(totals, 'cbc:PayableAmount')).toBe(gross - amountAt(totals, 'cbc:PrepaidAmount'));
  for (const each of subtotals) {
    const taxable = amountAt(each, 'cbc:TaxableAmount');
    const code = textAt(each, 'cac:TaxCategory', 'cbc:ID');
    const percent = Number(at(each, 'cac:TaxCategory')['cbc:Percent'] ?? 0);
    // BR-CO-17, as its official validation has it.
    const difference = Math.abs(amountAt(each, 'cbc:TaxAmount') - (taxable * percent) / 100);
    if (claims) expect(difference).toBeLessThan(scale);
    // BR-S-08 and its kin.
    const ofRate = lines.filter((item) => {
      const category = at(item, 'cac:Item', 'cac:ClassifiedTaxCategory');
      return textAt(category, 'cbc:ID') === code && Number(category['cbc:Percent'] ?? 0) === percent;
    });
    expect(sum(ofRate.map((item) => amountAt(item, 'cbc:LineExtensionAmount')))).toBe(taxable);
    if (code !== 'S') expect(amountAt(each, 'cbc:TaxAmount')).toBe(0);
  }
  for (const item of lines) {
    const price = Number(textAt(item, 'cac:Price', 'cbc:PriceAmount'));
    const base = Number(
      at(item, 'cac:Price')['cbc:BaseQuantity'] ? textAt(item, 'cac:Price', 'cbc:BaseQuantity') : 1,
    );
    const quantity = Number(
      textAt(item, item['cbc:InvoicedQuantity'] ? 'cbc:InvoicedQuantity' : 'cbc:CreditedQuantity'),
    );
    // BR-27, and PEPPOL-EN16931-R120.
    expect(price).toBeGreaterThanOrEqual(0);
    expect(Math.round((quantity * price * scale) / base) + 0).toBe(amountAt(item, 'cbc:LineExtensionAmount'));
  }
}

async function expectCorrect(of: UblSheet): Promise<void> {
  expectArithmetic(of);
  await expectValid(of);
}

describe('buildReceiptUbl', () => {
  test('refers to each receipt that a credit note corrects', async () => {
    const note = { ...sheet([line(-2500, 1000)]), refersTo: 'R-2026-000017, R-2026-000019' };
    await expectValid(note);
    const corrected = listOf(write(note).root['cac:BillingReference']);
    expect(corrected.map((each) => textAt(each, 'cac:InvoiceDocumentReference', 'cbc:ID'))).toEqual([
      'R-2026-000017',
      'R-2026-000019',
    ]);
  });

  test('writes a receipt as an invoice that is paid, with its parties, by Peppol BIS Billing', async () => {
    const of = sheet([line(3330, 700, { quantity: 3 }), line(1190, 1900), line(0, 700, { text: 'Infant' })]);
    await expectCorrect(of);
    const { xml, root } = write(of);
    expect(xml).toContain('urn:fdc:peppol.eu:2017:poacc:billing:3.0');
    expect(xml).toContain('<cbc:EndpointID schemeID="9925">BE0123456789</cbc:EndpointID>');
    expect(xml).toContain('<cbc:RegistrationName>Kelp &lt;Sons&gt;</cbc:RegistrationName>');
    expect(textAt(root, 'cac:OrderReference', 'cbc:SalesOrderID')).toBe('V9FG-NE6P');
    expect(textAt(root, 'cac:LegalMonetaryTotal', 'cbc:TaxInclusiveAmount')).toBe(toDecimal(4520, 'EUR'));
    expect(textAt(root, 'cac:LegalMonetaryTotal', 'cbc:PayableAmount')).toBe('0.00');
  });

  test('writes an invoice with its due day, the account and what is to be paid', async () => {
    const bankAccount = 'Fähren & Söhne, IBAN DE02 1203 0000 0000 2020 51, BIC BYLADEM1001';
    const of = sheet([line(1070, 700)], { due: { on: '2026-06-15', bankAccount } });
    await expectCorrect(of);
    const { root } = write(of);
    expect(textAt(root, 'cbc:DueDate')).toBe('2026-06-15');
    const account = ['cac:PaymentMeans', 'cac:PayeeFinancialAccount', 'cbc:ID'];
    expect(textAt(root, ...account)).toBe('DE02120300000000202051');
    expect(textAt(root, 'cac:PaymentMeans', 'cbc:PaymentID')).toBe('R-2026-000017');
    expect(amountAt(root, 'cac:LegalMonetaryTotal', 'cbc:PayableAmount')).toBe(1070);

    const other = sheet([line(1070, 700)], { due: { on: '2026-06-15', bankAccount: 'Account 12-345' } });
    expect(textAt(write(other).root, ...account)).toBe('Account 12-345');
  });

  test('writes a credit note with positive amounts and the receipt that it corrects', async () => {
    const of = sheet([line(-3330, 700, { quantity: -3 }), line(500, 1900, { text: 'Fee', quantity: 0 })]);
    await expectCorrect(of);
    const { xml, root } = write(of);
    expect(xml).toContain('<CreditNote xmlns=');
    expect(textAt(root, 'cac:BillingReference', 'cac:InvoiceDocumentReference', 'cbc:ID')).toBe(
      'R-2026-000017',
    );
    expect(linesOf(root).map((each) => textAt(each, 'cbc:CreditedQuantity'))).toEqual(['3', '-1']);
  });

  test('has a discount as a line whose quantity is negative', async () => {
    const of = sheet([line(2000, 700), line(-200, 700, { text: 'Discount', quantity: 0 })]);
    await expectCorrect(of);
    expect(linesOf(write(of).root).map((each) => textAt(each, 'cbc:InvoicedQuantity'))).toEqual(['1', '-1']);
  });

  test.each([
    ['zero_rated', null, 'Z'],
    ['exempt', 'Article 132', 'E'],
    ['outside_scope', 'High sea', 'O'],
  ] as const)('writes a rate of zero as %s', async (category, reason, code) => {
    const electronic = { sellerCountry: 'BE', recipientCountry: 'IE', zeroTax: { category, reason } };
    const of = sheet([line(2000, 0)], { electronic });
    await expectCorrect(of);
    const { root, xml } = write(of);
    const written = at(subtotalsOf(root)[0] ?? {}, 'cac:TaxCategory');
    expect([written['cbc:ID'], written['cbc:TaxExemptionReason'] ?? null]).toEqual([code, reason]);
    // BR-O-02 and BR-O-05.
    expect(xml.includes('cac:PartyTaxScheme')).toBe(code !== 'O');
    expect(written['cbc:Percent']).toBe(code === 'O' ? undefined : '0');
  });

  test('has what is outside the scope as exempt beside taxed lines, which the norm does not mix', async () => {
    const zeroTax = { category: 'outside_scope', reason: 'High sea' } as const;
    const electronic = { sellerCountry: 'BE', recipientCountry: 'IE', zeroTax };
    const of = sheet([line(2000, 0), line(1070, 700)], { electronic });
    await expectCorrect(of);
    const codes = subtotalsOf(write(of).root).map((each) => textAt(each, 'cac:TaxCategory', 'cbc:ID'));
    expect(codes).toEqual(['E', 'S']);
  });

  test.each([
    ['a number without the prefix of its country', 'BE', '602 555 014', 'BE0123456789'],
    ['a seller whose country has rules of its own', 'DE', 'DE123456789', 'IE1234567T'],
    ['a recipient without a number', 'BE', 'BE0123456789', ''],
  ])('follows EN 16931 without Peppol for %s', async (_, sellerCountry, seller, buyer) => {
    const of = sheet([line(1070, 700)], {
      seller: { name: 'Seller', address: 'Dock', taxNumber: seller },
      recipient: { name: 'Buyer', address: 'Road', taxNumber: buyer },
      electronic: { sellerCountry, recipientCountry: 'IE', zeroTax: zeroRated },
    });
    await expectCorrect(of);
    expect(textAt(write(of).root, 'cbc:CustomizationID')).toBe('urn:cen.eu:en16931:2017');
  });

  test('is nothing for a simplified invoice, or for a receipt from before countries were asked', () => {
    expect(buildReceiptUbl(sheet([line(1070, 700)], { recipient: null }))).toBeNull();
    const { electronic: _, ...content } = sheet([line(1070, 700)]).content;
    expect(buildReceiptUbl({ ...sheet([line(1070, 700)]), content })).toBeNull();
  });

  test('has a line for each rate of a line', async () => {
    const [taxed, other] = [line(1070, 700), line(2000, 0)];
    const parts = [
      { ...{ name: 'Coast', taxBp: 700 }, gross: 1070, tax: taxed.tax },
      { ...{ name: 'High sea', taxBp: 0 }, gross: 2000, tax: 0 },
    ];
    const whole = { ...other, gross: 3070, tax: taxed.tax, parts };
    const of = sheet([whole]);
    await expectCorrect(of);
    expect(linesOf(write(of).root).map((each) => textAt(each, 'cac:Item', 'cbc:Name'))).toEqual([
      ...['Adult, Kiel to Oslo, Coast', 'Adult, Kiel to Oslo, High sea'],
    ]);
  });

  const currencies = ['USD', 'JPY', 'KWD'].flatMap((currency) =>
    (['zero_rated', 'exempt', 'outside_scope'] as const).map((category) => [currency, category] as const),
  );
  test.each(currencies)(
    'follows the norm with receipts, invoices and credit notes of several rates in %s, with a rate of zero as %s',
    async (currency, category) => {
      const reason = category === 'zero_rated' ? null : 'High sea';
      const electronic = { sellerCountry: 'BE', recipientCountry: 'IE', zeroTax: { category, reason } };
      const due = { on: '2026-06-15', bankAccount: 'IBAN DE02 1203 0000 0000 2020 51' };
      for (const rates of [[0], [0, 550, 2500]]) {
        const lines = rates.flatMap((taxBp) => [
          line(2 * (10_000 + taxBp), taxBp, { quantity: 2 }),
          line(-(10_000 + taxBp), taxBp, { text: 'Discount', quantity: 0 }),
        ]);
        const back = lines.map((each) => ({
          ...each,
          gross: -each.gross,
          tax: -each.tax,
          quantity: -each.quantity,
        }));
        for (const of of [
          sheet(lines, { electronic }, currency),
          sheet(lines, { electronic, due }, currency),
          sheet(back, { electronic }, currency),
        ]) {
          await expectCorrect(of);
          expect(write(of).root['cbc:CustomizationID']).toBeDefined();
        }
      }
    },
  );

  test.each([
    ['amounts have a third decimal', 'KWD', [line(1071, 700)]],
    ['each line rounds its tax to a whole unit', 'JPY', Array.from({ length: 6 }, () => line(125, 1000))],
  ])('does not claim to follow the norm where %s, in %s', (_, currency, lines) => {
    const of = sheet(lines, {}, currency);
    expectArithmetic(of);
    const { root } = write(of);
    expect([root['cbc:CustomizationID'], root['cbc:ProfileID']]).toEqual([undefined, undefined]);
    expect(textAt(root, 'cac:LegalMonetaryTotal', 'cbc:TaxInclusiveAmount')).toBe(
      toDecimal(of.total, currency),
    );
  });

  test.each(['EUR', 'JPY', 'KWD'])('adds up for any lines in %s', (currency) => {
    const lines = fc.array(
      fc
        .tuple(
          fc.integer({ min: -20_000, max: 90_000 }),
          fc.constantFrom(0, 550, 700, 1900, 2500),
          fc.integer({ min: -3, max: 9 }),
        )
        .map(([gross, taxBp, quantity]) => line(gross, taxBp, { quantity })),
      { minLength: 1, maxLength: 12 },
    );
    const isWorthSomething = (all: Line[]) => sum(all.map(({ gross }) => gross)) !== 0;
    fc.assert(
      fc.property(lines.filter(isWorthSomething), (all) => expectArithmetic(sheet(all, {}, currency))),
      { numRuns: 300 },
    );
  });
});
