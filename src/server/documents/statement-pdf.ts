import type { WebSettings } from '#contract/settings/schemas.ts';
import { chooseTextLocale } from '#domain/text-locale.ts';
import {
  createPdf,
  drawPageHead,
  drawRule,
  finishPdf,
  MARGIN,
  MUTED,
  type Pdf,
  setStyle,
} from './pdf-parts.ts';

/** A printable statement: texts only, so that it can be sent to the worker thread. */
export type StatementSheet = {
  cardName: string;
  number: string;
  /** First and last day, `YYYY-MM-DD`. */
  from: string;
  to: string;
  /** Balance before the first line. */
  opening: string;
  closing: string;
  lines: readonly { date: string; text: string; amount: string; balance: string }[];
};

const LINE_HEIGHT = 17;
const DATE_WIDTH = 100;
const MONEY_WIDTH = 80;

/** Builds the PDF of a trip card's statement. */
export async function buildStatementPdf(sheet: StatementSheet, settings: WebSettings): Promise<Buffer> {
  const pdf = createPdf(settings, {
    title: `Statement ${sheet.number}`,
    createdAt: new Date(`${sheet.to}T00:00:00Z`),
    locale: chooseTextLocale(settings.language),
  });
  let y = beginPage(pdf, sheet, settings);
  y = drawLine(pdf, { date: '', text: 'Balance before', amount: '', balance: sheet.opening }, y);
  for (const line of sheet.lines) {
    if (y > pdf.page.height - MARGIN - 2 * LINE_HEIGHT) y = beginPage(pdf, sheet, settings);
    y = drawLine(pdf, line, y);
  }
  drawRule(pdf, y + 3, pdf.page.width - 2 * MARGIN);
  drawLine(pdf, { date: '', text: 'Balance', amount: '', balance: sheet.closing }, y + 9, 'bold');
  return finishPdf(pdf);
}

/** @returns the position of the first line */
function beginPage(pdf: Pdf, sheet: StatementSheet, settings: WebSettings): number {
  pdf.addPage();
  const width = pdf.page.width - 2 * MARGIN;
  drawPageHead(pdf, settings, `${sheet.from} to ${sheet.to}`);
  setStyle(pdf, 'bold', 13).text(sheet.cardName, MARGIN, 90, { width, height: 17, ellipsis: true });
  setStyle(pdf, 'regular', 11, MUTED).text(`Trip card ${sheet.number}`, MARGIN, 110, { width });
  return drawLine(pdf, { date: 'Date', text: 'What', amount: 'Amount', balance: 'Balance' }, 138, 'bold');
}

function drawLine(
  pdf: Pdf,
  { date, text, amount, balance }: StatementSheet['lines'][number],
  y: number,
  font: 'regular' | 'bold' = 'regular',
): number {
  const right = pdf.page.width - MARGIN;
  const textWidth = right - MARGIN - DATE_WIDTH - 2 * MONEY_WIDTH - 8;
  setStyle(pdf, font, 9.5);
  pdf.text(date, MARGIN, y, { width: DATE_WIDTH, lineBreak: false });
  pdf.text(text, MARGIN + DATE_WIDTH, y, { width: textWidth, height: LINE_HEIGHT - 3, ellipsis: true });
  pdf.text(amount, right - 2 * MONEY_WIDTH, y, { width: MONEY_WIDTH, align: 'right' });
  pdf.text(balance, right - MONEY_WIDTH, y, { width: MONEY_WIDTH, align: 'right' });
  return y + LINE_HEIGHT;
}
