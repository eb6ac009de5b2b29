import { create } from 'xmlbuilder2';
import type { TaxCategory } from '#contract/settings/schemas.ts';
import { getCurrencyExponent, toDecimal } from '#domain/fares/money.ts';
import type { ElectronicTerms, ReceiptRow } from '#server/database/schema/accounting.ts';
import { compactNumber, findEndpoint, hasNationalRules, isVatNumber, type Party } from './vat-numbers.ts';

/** A receipt to write, as it was issued. */
export type UblSheet = Pick<ReceiptRow, 'number' | 'kind' | 'refersTo' | 'total' | 'currency' | 'content'>;

/** An element: text, attributes that begin with `@` beside `#`, or elements; undefined: none. */
type Element = string | undefined | readonly Element[] | { [name: string]: Element };
type Due = NonNullable<UblSheet['content']['due']>;
type Recipient = NonNullable<UblSheet['content']['recipient']>;

type Line = UblSheet['content']['lines'][number];

/** The categories of UNCL 5305. */
const CATEGORY_CODES = { zero_rated: 'Z', exempt: 'E', outside_scope: 'O' } as const satisfies Record<
  TaxCategory,
  string
>;
type Category = { code: 'S' | 'Z' | 'E' | 'O'; taxBp: number; reason: string | null };
/** What a line has at one rate, in minor units. */
type Item = { text: string; quantity: number; net: number; tax: number; category: Category };

const EN_16931 = 'urn:cen.eu:en16931:2017';
const PEPPOL = `${EN_16931}#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0`;
const PROFILE = 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0';
/** Of UNCL 4461. */
const CREDIT_TRANSFER = '30';
/** One piece, in the unit codes of UN/ECE recommendation 20. */
const PIECE = 'C62';

/**
 * Writes a receipt or credit note as UBL 2.1 by EN 16931, and by Peppol BIS Billing 3 where both sides have an address in the
 * Peppol network and the seller's country adds no rules. The amounts of a credit note are positive.
 *
 * Prices include tax, and each line was taxed and rounded when it was sold. A line's net amount is what is left of it, so
 * that lines, tax and total add up to the stored ones to the minor unit without any rounding amount. The tax of a rate is
 * the sum of its lines' and may differ by some minor units from the rate of the sum. Where the norm does not permit that, or
 * amounts have more decimals than it permits, the file is UBL that does not claim to follow it.
 * @returns null if the receipt lacks what the format needs
 */
export function buildReceiptUbl(sheet: UblSheet): string | null {
  const { recipient, electronic } = sheet.content;
  if (recipient === null || electronic === undefined) return null;
  const items = listItems(sheet, electronic);
  const name = sheet.kind === 'credit_note' ? 'CreditNote' : 'Invoice';
  const document = {
    [name]: {
      '@xmlns': `urn:oasis:names:specification:ubl:schema:xsd:${name}-2`,
      '@xmlns:cac': 'urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2',
      '@xmlns:cbc': 'urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2',
      ...writeHead(sheet, { recipient, electronic, items }),
      ...writeAmounts(items, sheet),
    },
  };
  return create({ version: '1.0', encoding: 'UTF-8' }, document).end({ prettyPrint: true });
}

type Terms = { recipient: Recipient; electronic: ElectronicTerms; items: readonly Item[] };

/** The parties, and the documents that this one refers to. */
function writeHead(
  { number, kind, refersTo, currency, content }: UblSheet,
  { recipient, electronic, items }: Terms,
): Record<string, Element> {
  const isOutsideScope = items.some(({ category }) => category.code === 'O');
  const seller = { ...content.seller, country: electronic.sellerCountry };
  const buyer = { ...recipient, country: electronic.recipientCountry };
  const isPeppol =
    [seller, buyer].every(findEndpoint) && !hasNationalRules(seller.country) && !isOutsideScope;
  const norm = { 'cbc:CustomizationID': isPeppol ? PEPPOL : EN_16931, 'cbc:ProfileID': PROFILE };
  const typeCode =
    kind === 'credit_note' ? { 'cbc:CreditNoteTypeCode': '381' } : { 'cbc:InvoiceTypeCode': '380' };
  return {
    ...(followsNorm(items, currency) ? norm : {}),
    'cbc:ID': number,
    'cbc:IssueDate': content.issuedOn,
    ...(content.due ? { 'cbc:DueDate': content.due.on } : {}),
    ...typeCode,
    'cbc:DocumentCurrencyCode': currency,
    // The buyer's own number of the order is unknown, which the norm writes as "NA".
    'cac:OrderReference': {
      'cbc:ID': 'NA',
      ...(content.reference === '' ? {} : { 'cbc:SalesOrderID': content.reference }),
    },
    ...(refersTo === null
      ? {}
      : {
          'cac:BillingReference': refersTo
            .split(', ')
            .map((corrected) => ({ 'cac:InvoiceDocumentReference': { 'cbc:ID': corrected } })),
        }),
    'cac:AccountingSupplierParty': { 'cac:Party': writeParty(seller, { isSeller: true, isOutsideScope }) },
    'cac:AccountingCustomerParty': { 'cac:Party': writeParty(buyer, { isSeller: false, isOutsideScope }) },
    ...(content.due ? { 'cac:PaymentMeans': writeTransfer(content.due, number) } : {}),
  };
}

/**
 * Whether amounts have two decimals at most (BR-DEC), and each rate's tax differs by less than one unit of the currency from
 * the rate of its net amount (BR-CO-17). Each line of a currency without decimals may differ by half a unit.
 */
function followsNorm(items: readonly Item[], currency: string): boolean {
  const exponent = getCurrencyExponent(currency);
  const isTwoDecimals = (amount: number) => exponent <= 2 || amount % 10 ** (exponent - 2) === 0;
  const tolerance = 10 ** exponent * ALMOST_ONE_UNIT;
  return (
    items.every(({ net, tax }) => isTwoDecimals(net) && isTwoDecimals(tax)) &&
    groupByCategory(items).every((part) => {
      const taxBp = part[0]?.category.taxBp ?? 0;
      return Math.abs(sumOf(part, 'tax') - (sumOf(part, 'net') * taxBp) / 10_000) < tolerance;
    })
  );
}

/** The official validation rounds the product to two decimals before it compares. */
const ALMOST_ONE_UNIT = 0.99;

function groupByCategory(items: readonly Item[]): Item[][] {
  return [...Map.groupBy(items, ({ category }) => `${category.code} ${category.taxBp}`).values()];
}

function sumOf(items: readonly Item[], field: 'net' | 'tax'): number {
  return items.reduce((all, item) => all + item[field], 0);
}

/** The account of an invoice: its IBAN, or all that the settings say if there is none in it. */
function writeTransfer({ bankAccount }: Due, number: string): Element {
  const [iban = bankAccount] = /\b[A-Z]{2}\d{2}(?: ?[A-Z\d]{1,4}){3,8}\b/.exec(bankAccount) ?? [];
  return {
    'cbc:PaymentMeansCode': CREDIT_TRANSFER,
    'cbc:PaymentID': number,
    'cac:PayeeFinancialAccount': { 'cbc:ID': iban === bankAccount ? bankAccount : iban.replaceAll(' ', '') },
  };
}

/** VAT numbers are not allowed on a document outside the scope of VAT (BR-O-02), so that other numbers identify its parties. */
function writeParty(
  party: Party & { name: string; address: string },
  { isSeller, isOutsideScope }: { isSeller: boolean; isOutsideScope: boolean },
): Element {
  const { name, address, country, taxNumber } = party;
  const hasVatNumber = isVatNumber(party) && !isOutsideScope;
  const endpoint = findEndpoint(party);
  const scheme = hasVatNumber ? 'VAT' : 'TAX';
  const hasTaxScheme = hasVatNumber || (isSeller && !isOutsideScope);
  return {
    ...(endpoint ? { 'cbc:EndpointID': { '@schemeID': endpoint.scheme, '#': endpoint.id } } : {}),
    ...(hasVatNumber || taxNumber === '' ? {} : { 'cac:PartyIdentification': { 'cbc:ID': taxNumber } }),
    'cac:PostalAddress': {
      'cbc:StreetName': address,
      'cac:Country': { 'cbc:IdentificationCode': country },
    },
    ...(hasTaxScheme
      ? {
          'cac:PartyTaxScheme': {
            'cbc:CompanyID': hasVatNumber ? compactNumber(taxNumber) : taxNumber,
            'cac:TaxScheme': { 'cbc:ID': scheme },
          },
        }
      : {}),
    'cac:PartyLegalEntity': { 'cbc:RegistrationName': name },
  };
}

/**
 * The lines with the category of their rate. What is outside the scope of tax cannot be on one document with something else
 * (BR-O-11), and is written as exempt there, for the same reason.
 */
function listItems({ content, kind }: UblSheet, electronic: ElectronicTerms): Item[] {
  const sign = kind === 'credit_note' ? -1 : 1;
  const shares = content.lines.flatMap(listShares);
  const isMixed = shares.some(({ taxBp }) => taxBp !== 0);
  const { category, reason } = electronic.zeroTax;
  const code = category === 'outside_scope' && isMixed ? 'E' : CATEGORY_CODES[category];
  const zero: Category = { code, taxBp: 0, reason: code === 'Z' ? null : reason };
  return shares.map(({ text, quantity, taxBp, gross, tax }) => ({
    ...{ text, quantity: sign * quantity, net: sign * (gross - tax), tax: sign * tax },
    category: taxBp === 0 ? zero : { code: 'S', taxBp, reason: null },
  }));
}

/** A line for each rate of a line, because a line of the norm has one (BR-CO-4). */
function listShares({ parts, ...line }: Line): Omit<Line, 'parts'>[] {
  if (!parts) return [line];
  return parts.map(({ name, ...part }) => ({
    ...line,
    ...part,
    text: name === '' ? line.text : `${line.text}, ${name}`,
  }));
}

/** The taxes by category and rate, the totals and the lines. */
function writeAmounts(
  items: readonly Item[],
  { kind, total, currency, content: { due } }: UblSheet,
): Record<string, Element> {
  // The norm permits two decimals, also where a third one is zero.
  const write = (amount: number) => toDecimal(amount, currency).replace(/(\.\d\d)0$/, '$1');
  const money = (amount: number) => ({ '@currencyID': currency, '#': write(amount) });
  const [net, gross] = [money(sumOf(items, 'net')), money(Math.abs(total))];
  const line = kind === 'credit_note' ? 'CreditNoteLine' : 'InvoiceLine';
  return {
    'cac:TaxTotal': {
      'cbc:TaxAmount': money(sumOf(items, 'tax')),
      'cac:TaxSubtotal': groupByCategory(items).flatMap((part) =>
        part.slice(0, 1).map(({ category }) => ({
          'cbc:TaxableAmount': money(sumOf(part, 'net')),
          'cbc:TaxAmount': money(sumOf(part, 'tax')),
          'cac:TaxCategory': writeCategory(category, { withReason: true }),
        })),
      ),
    },
    // Only an invoice is still to be paid. What a credit note gives back goes the way of the payment.
    'cac:LegalMonetaryTotal': {
      'cbc:LineExtensionAmount': net,
      'cbc:TaxExclusiveAmount': net,
      'cbc:TaxInclusiveAmount': gross,
      'cbc:PrepaidAmount': due ? money(0) : gross,
      'cbc:PayableAmount': due ? gross : money(0),
    },
    [`cac:${line}`]: items.map((item, index) => ({
      'cbc:ID': String(index + 1),
      ...writeQuantityAndPrice(item, { kind, money }),
    })),
  };
}

type LineWriter = Pick<UblSheet, 'kind'> & { money: (amount: number) => Element };

/**
 * A price cannot be negative (BR-27), so that the quantity is where the amount is. Lines without a quantity, such as fees,
 * have one piece. A price that is no whole minor unit is given for the whole quantity, so that it is exact.
 */
function writeQuantityAndPrice(
  { text, quantity, net, category }: Item,
  { kind, money }: LineWriter,
): Record<string, Element> {
  const isOfItsSign = quantity !== 0 && (net === 0 || Math.sign(quantity) === Math.sign(net));
  const pieces = isOfItsSign ? quantity : Math.sign(net) || 1;
  const [price, count] = [Math.abs(net), Math.abs(pieces)];
  const isWhole = price % count === 0;
  const quantityOf = (number: number) => ({ '@unitCode': PIECE, '#': String(number) });
  return {
    [kind === 'credit_note' ? 'cbc:CreditedQuantity' : 'cbc:InvoicedQuantity']: quantityOf(pieces),
    'cbc:LineExtensionAmount': money(net),
    'cac:Item': { 'cbc:Name': text, 'cac:ClassifiedTaxCategory': writeCategory(category) },
    'cac:Price': isWhole
      ? { 'cbc:PriceAmount': money(price / count) }
      : { 'cbc:PriceAmount': money(price), 'cbc:BaseQuantity': quantityOf(count) },
  };
}

function writeCategory(
  { code, taxBp, reason }: Category,
  { withReason = false } = {},
): Record<string, Element> {
  return {
    'cbc:ID': code,
    // Outside the scope there is no rate (BR-O-05).
    ...(code === 'O' ? {} : { 'cbc:Percent': String(taxBp / 100) }),
    ...(withReason && reason !== null ? { 'cbc:TaxExemptionReason': reason } : {}),
    'cac:TaxScheme': { 'cbc:ID': 'VAT' },
  };
}
