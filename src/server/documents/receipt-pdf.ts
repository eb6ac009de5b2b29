import type { WebSettings } from '#contract/settings/schemas.ts';
import { formatInstant } from '#domain/format/dates.ts';
import { formatMoney } from '#domain/format/money.ts';
import { getNumberFormat } from '#messages/intl.ts';
import { textsIn } from '#server/core/texts.ts';
import type { ReceiptPart, ReceiptRow } from '#server/database/schema/accounting.ts';
import { createPdf, drawPageHead, drawRule, finishPdf, MARGIN, MUTED, setStyle } from './pdf-parts.ts';
import { drawElement, drawGroup, type Pdf } from './pdf-tags.ts';

/** A receipt to print, as it was issued. */
export type ReceiptSheet = Pick<
  ReceiptRow,
  'number' | 'kind' | 'refersTo' | 'total' | 'currency' | 'content'
>;

type Line = { text: string; quantity: string; rate: string; tax: string; gross: string };

const LINE_HEIGHT = 17;
const COLUMN = 70;

/** Builds the PDF of a receipt or credit note, in the language of its order. */
export async function buildReceiptPdf(sheet: ReceiptSheet, settings: WebSettings): Promise<Buffer> {
  const { content, number, kind } = sheet;
  const { language, issuedOn } = content;
  const t = textsIn(language);
  const title =
    kind === 'credit_note'
      ? t('Credit note {number}', { number })
      : content.due
        ? t('Invoice {number}', { number })
        : t('Receipt {number}', { number });
  const pdf = createPdf(settings, { title, createdAt: new Date(`${issuedOn}T00:00:00Z`), locale: language });
  pdf.addPage();
  drawGroup(pdf, 'Sect', () => {
    drawPageHead(pdf, settings, formatDate(issuedOn, language));
    drawElement(pdf, 'H1', () => setStyle(pdf, 'bold', 15).text(title, MARGIN, 92));
    drawParties(pdf, sheet);
    drawLines(pdf, sheet);
    drawDue(pdf, sheet);
  });
  return finishPdf(pdf);
}

function formatDate(day: string, language: string): string {
  return formatInstant('date', Date.parse(`${day}T12:00:00Z`), { language, zone: 'UTC' });
}

/** Who sells, who buys, and which order it is. */
function drawParties(pdf: Pdf, { content, refersTo }: ReceiptSheet): void {
  const { seller, recipient, language, reference } = content;
  const t = textsIn(language);
  const lines = [
    ...[seller.name, seller.address, t('Tax number: {number}', { number: seller.taxNumber }), ''],
    ...(recipient
      ? [
          ...[t('For'), recipient.name, recipient.address],
          ...(recipient.taxNumber ? [t('Tax number: {number}', { number: recipient.taxNumber })] : []),
          '',
        ]
      : []),
    ...(reference === '' ? [] : [t('Order {reference}', { reference })]),
    ...(refersTo ? [t('Corrects receipt {number}', { number: refersTo })] : []),
  ];
  pdf.y = 122;
  for (const line of lines) {
    if (line === '') pdf.moveDown(0.6);
    else drawElement(pdf, 'P', () => setStyle(pdf, 'regular', 10.5).text(line, MARGIN, pdf.y));
  }
  pdf.moveDown(1.2);
}

function drawLines(pdf: Pdf, { content, total, currency }: ReceiptSheet): void {
  const { lines, language } = content;
  const t = textsIn(language);
  const money = (amount: number) => formatMoney(amount, currency, language);
  const width = pdf.page.width - 2 * MARGIN;
  const partsOf = (line: (typeof lines)[number]): ReceiptPart[] => line.parts ?? [{ ...line, name: '' }];
  const rates = Map.groupBy(lines.flatMap(partsOf), ({ taxBp, name }) => `${taxBp} ${name}`);
  const sum = (part: readonly { gross: number; tax: number }[], field: 'gross' | 'tax') =>
    part.reduce((result, line) => result + line[field], 0);
  drawGroup(pdf, 'Table', () => {
    const titles = {
      ...{ text: t('What|a line of a receipt'), quantity: t('Number|of tickets'), rate: t('Tax rate') },
      ...{ tax: t('Tax'), gross: t('Amount') },
    };
    drawLine(pdf, titles, 'TH');
    for (const line of lines) {
      const { tax, gross } = line;
      const quantity = line.quantity === 0 ? '' : String(line.quantity);
      const parts = partsOf(line);
      const shares = parts.map((part) => `${nameRate(part, language)}: ${money(part.gross)}`);
      const isPlain = line.parts === undefined;
      const text = isPlain ? line.text : [line.text, ...shares].join('\n');
      const rate = isPlain ? formatPercent(line.taxBp, language) : '';
      drawLine(pdf, { text, quantity, rate, tax: money(tax), gross: money(gross) });
    }
    drawRule(pdf, pdf.y + 2, width);
    pdf.y += 8;
    for (const part of rates.values()) {
      const { name = '', taxBp = 0 } = part[0] ?? {};
      const net = t('Net amount {net}', { net: money(sum(part, 'gross') - sum(part, 'tax')) });
      drawLine(pdf, {
        ...{
          text: name === '' ? net : `${net}, ${name}`,
          quantity: '',
          rate: formatPercent(taxBp, language),
        },
        ...{ tax: money(sum(part, 'tax')), gross: money(sum(part, 'gross')) },
      });
    }
    const sums = {
      text: t('Total'),
      quantity: '',
      rate: '',
      tax: money(sum(lines, 'tax')),
      gross: money(total),
    };
    drawLine(pdf, sums, 'TH');
  });
}

/** Such as "10%", "Outside the scope" or "10%, Domestic waters". */
function nameRate({ taxBp, name }: ReceiptPart, language: string): string {
  if (name === '') return formatPercent(taxBp, language);
  return taxBp === 0 ? name : `${formatPercent(taxBp, language)}, ${name}`;
}

function formatPercent(taxBp: number, language: string): string {
  return getNumberFormat(language, { style: 'percent', maximumFractionDigits: 2 }).format(taxBp / 10_000);
}

/** Until when an invoice is to be paid, and how. */
function drawDue(pdf: Pdf, { content: { due, language }, number }: ReceiptSheet): void {
  if (!due) return;
  const t = textsIn(language);
  const lines = [
    t('Please pay by {day}.', { day: formatDate(due.on, language) }),
    t('Bank account: {account}', { account: due.bankAccount }),
    t('Payment reference: {number}', { number }),
  ];
  pdf.moveDown(1.2);
  if (pdf.y + lines.length * 2 * LINE_HEIGHT > pdf.page.height - MARGIN) {
    pdf.addPage();
    pdf.y = MARGIN;
  }
  for (const line of lines) {
    drawElement(pdf, 'P', () => setStyle(pdf, 'regular', 10.5).text(line, MARGIN, pdf.y));
  }
}

function drawLine(pdf: Pdf, { text, quantity, rate, tax, gross }: Line, type: 'TH' | 'TD' = 'TD'): void {
  const right = pdf.page.width - MARGIN;
  const textWidth = right - MARGIN - 4 * COLUMN - 8;
  setStyle(pdf, type === 'TH' ? 'bold' : 'regular', 9.5, type === 'TH' ? undefined : MUTED);
  const height = Math.max(LINE_HEIGHT, pdf.heightOfString(text, { width: textWidth }) + 4);
  if (pdf.y + height > pdf.page.height - MARGIN) {
    pdf.addPage();
    pdf.y = MARGIN;
  }
  const { y } = pdf;
  const figure = { width: COLUMN, align: 'right', lineBreak: false } as const;
  drawGroup(pdf, 'TR', () => {
    drawElement(pdf, type, () => pdf.text(text, MARGIN, y, { width: textWidth }));
    for (const [index, value] of [quantity, rate, tax, gross].entries()) {
      drawElement(pdf, type, () => pdf.text(value, right - (4 - index) * COLUMN, y, figure));
    }
  });
  pdf.y = y + height;
}
