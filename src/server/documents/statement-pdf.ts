import type { WebSettings } from '#contract/settings/schemas.ts';
import { chooseTextLocale } from '#messages/text-locale.ts';
import { textsIn } from '#server/core/texts.ts';
import { createPdf, drawPageHead, drawRule, finishPdf, MARGIN, MUTED, setStyle } from './pdf-parts.ts';
import { drawElement, drawGroup, type Pdf } from './pdf-tags.ts';

/** A printable statement: texts only, so that it can be sent to the worker thread. */
export type StatementSheet = {
  cardName: string;
  number: string;
  /** "Jun 1, 2026 to Jun 30, 2026" */
  period: string;
  /** `YYYY-MM-DD` */
  lastDay: string;
  /** Balance before the first line. */
  opening: string;
  closing: string;
  lines: readonly { date: string; text: string; amount: string; balance: string }[];
};

type StatementLine = StatementSheet['lines'][number];

/** Of the titles of the columns. */
const TOP = 138;
const LINE_HEIGHT = 17;
const DATE_WIDTH = 125;
const MONEY_WIDTH = 80;

/** Builds the PDF of a trip card's statement. */
export async function buildStatementPdf(sheet: StatementSheet, settings: WebSettings): Promise<Buffer> {
  const t = textsIn(settings.language);
  const pdf = createPdf(settings, {
    title: t('Statement {number}', sheet),
    createdAt: new Date(`${sheet.lastDay}T00:00:00Z`),
    locale: chooseTextLocale(settings.language),
  });
  const opening = { date: '', text: t('Balance before'), amount: '', balance: sheet.opening };
  let rest: StatementLine[] = [opening, ...sheet.lines];
  while (rest.length > 0) {
    pdf.addPage();
    const count = Math.floor((pdf.page.height - MARGIN - 2 * LINE_HEIGHT - TOP) / LINE_HEIGHT);
    const lines = rest.slice(0, count);
    const isLast = rest.length <= count;
    drawGroup(pdf, 'Sect', () => drawStatementPage(pdf, sheet, settings, { lines, isLast }));
    rest = rest.slice(count);
  }
  return finishPdf(pdf);
}

function drawStatementPage(
  pdf: Pdf,
  sheet: StatementSheet,
  settings: WebSettings,
  { lines, isLast }: { lines: readonly StatementLine[]; isLast: boolean },
): void {
  const t = textsIn(settings.language);
  const width = pdf.page.width - 2 * MARGIN;
  drawPageHead(pdf, settings, sheet.period);
  drawElement(pdf, 'H1', () =>
    setStyle(pdf, 'bold', 13).text(sheet.cardName, MARGIN, 90, { width, height: 17, ellipsis: true }),
  );
  drawElement(pdf, 'P', () =>
    setStyle(pdf, 'regular', 11, MUTED).text(t('Trip card {number}', sheet), MARGIN, 110, { width }),
  );
  drawGroup(pdf, 'Table', () => {
    const titles = {
      date: t('Date'),
      text: t('What|an entry of a statement'),
      amount: t('Amount'),
      balance: t('Balance'),
    };
    drawLine(pdf, titles, TOP, 'titles');
    for (const [index, line] of lines.entries()) drawLine(pdf, line, TOP + (index + 1) * LINE_HEIGHT);
    if (!isLast) return;
    const end = TOP + (lines.length + 1) * LINE_HEIGHT;
    drawRule(pdf, end + 3, width);
    drawLine(pdf, { date: '', text: t('Balance'), amount: '', balance: sheet.closing }, end + 9, 'sum');
  });
}

function drawLine(
  pdf: Pdf,
  line: StatementLine,
  y: number,
  kind: 'titles' | 'entry' | 'sum' = 'entry',
): void {
  const { date, text, amount, balance } = line;
  const right = pdf.page.width - MARGIN;
  const textWidth = right - MARGIN - DATE_WIDTH - 2 * MONEY_WIDTH - 8;
  const money = { width: MONEY_WIDTH, align: 'right' } as const;
  const type = kind === 'titles' ? 'TH' : 'TD';
  setStyle(pdf, kind === 'entry' ? 'regular' : 'bold', 9.5);
  drawGroup(pdf, 'TR', () => {
    drawElement(pdf, type, () => pdf.text(date, MARGIN, y, { width: DATE_WIDTH, lineBreak: false }));
    drawElement(pdf, type, () =>
      pdf.text(text, MARGIN + DATE_WIDTH, y, { width: textWidth, height: LINE_HEIGHT - 3, ellipsis: true }),
    );
    drawElement(pdf, type, () => pdf.text(amount, right - 2 * MONEY_WIDTH, y, money));
    drawElement(pdf, type, () => pdf.text(balance, right - MONEY_WIDTH, y, money));
  });
}
