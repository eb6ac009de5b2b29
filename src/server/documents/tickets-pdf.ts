import type { WebSettings } from '#contract/settings/schemas.ts';
import { translateSettings } from '#contract/settings/translate-settings.ts';
import { formatMoney } from '#domain/format/money.ts';
import { formatList } from '#messages/intl.ts';
import type { Translate } from '#messages/translate.ts';
import type { ShownTime } from '#sentences/crossing-times.ts';
import { nameTicket } from '#sentences/legs.ts';
import { describeCard } from '#sentences/payment-cards.ts';
import { describeTicket } from '#sentences/tickets.ts';
import { textsIn } from '#server/core/texts.ts';
import { findMissingCharacters } from './pdf-fonts.ts';
import { createPdf, drawPageHead, drawRule, finishPdf, MARGIN, MUTED, RULE, setStyle } from './pdf-parts.ts';
import { drawElement, drawGroup, type Pdf } from './pdf-tags.ts';
import { measureText } from './pdf-text.ts';
import { qrModules } from './qr-code.ts';
import type { TravelDocument, TravelLeg, TravelTicket } from './travel-document.ts';
import {
  describeCancellation,
  describeOtherDay,
  describePurchasedPolicy,
  describeRoute,
  describeTimes,
  describeVia,
  formatDate,
  formatTimeWithZone,
} from './travel-text.ts';

const ALARM = '#a3161b';
/** 62 mm including the blank border: readable at arm's length and from creased paper. */
const CODE_SIDE = 204;
const GAP = 26;
/** Longer names would need more than two lines at the regular size. */
const LONG_NAME = 45;

/**
 * Builds the order's tickets, one per page, on Letter where lengths are in feet and on A4 elsewhere. Fare rules and terms
 * stand below a single ticket, and after several ones on a page of their own. The same order gives the same bytes.
 * @param options isShared: for a travel companion, without the buyer's price and fare rules; showsAssistance: what the
 * passenger asked assistance for
 */
export async function buildTicketsPdf(
  document: TravelDocument,
  allSettings: WebSettings,
  { isShared = false, showsAssistance = false } = {},
): Promise<Buffer> {
  const { order } = document;
  const settings = translateSettings(allSettings, order.locale);
  const t = textsIn(order.locale);
  const pdf = createPdf(settings, {
    title: t('Tickets {reference}', order),
    createdAt: order.confirmedAt ?? order.insertedAt,
    locale: order.locale,
  });
  const isSingle = document.tickets.length === 1;
  for (const leg of document.legs) {
    const own = document.tickets.filter((ticket) => ticket.leg === leg.leg);
    for (const ticket of own) {
      const [who, detail] = describeTicket(t, ticket, own);
      const sheet = { t, document, ticket, who, detail, leg, settings, isSingle, isShared, showsAssistance };
      pdf.addPage();
      drawGroup(pdf, 'Sect', () => drawTicket(pdf, sheet));
    }
  }
  if (!isSingle) {
    pdf.addPage();
    drawGroup(pdf, 'Sect', () => drawTermsPage(pdf, { t, document, settings, isShared }));
  }
  return finishPdf(pdf);
}

type Sheet = {
  t: Translate;
  document: TravelDocument;
  ticket: TravelTicket;
  who: string;
  detail: string | null;
  leg: TravelLeg;
  settings: WebSettings;
  isSingle: boolean;
  isShared: boolean;
  showsAssistance: boolean;
};

function drawTicket(pdf: Pdf, sheet: Sheet): void {
  const { t, leg, document } = sheet;
  const width = pdf.page.width - 2 * MARGIN;
  const kind = nameTicket(
    t,
    leg.leg,
    document.legs.map((each) => each.leg),
  );
  drawPageHead(pdf, sheet.settings, `${kind} · ${t('Reference {reference}', document.order)}`);
  let y = 104;
  const status = [describeCancellation(leg, document.order.locale), leg.statusText].filter(Boolean).join(' ');
  if (status !== '') y = drawStatus(pdf, status, y, width);
  y = drawFitting(pdf, describeRoute(leg), { y, width, size: 25, least: 13 });
  const date = formatDate(leg.departsAt, leg.origin.timeZone, document.order.locale);
  drawElement(pdf, 'P', () => setStyle(pdf, 'regular', 15).text(date, MARGIN, y + 4, { width }));
  const top = pdf.y + 20;
  drawCode(pdf, sheet, top);
  const beside = { x: MARGIN + CODE_SIDE + GAP, y: top, width: width - CODE_SIDE - GAP };
  drawGroup(pdf, 'L', () => drawDefinitions(pdf, sheet, beside));
  const end = pdf.y;
  const below = { x: MARGIN, y: top + CODE_SIDE + 76, width: CODE_SIDE };
  const belowAll = Math.max(end, drawAccessibility(pdf, sheet, below), top + CODE_SIDE + 96);
  drawRule(pdf, belowAll, width);
  pdf.y = belowAll + 11;
  if (sheet.isSingle) drawTerms(pdf, sheet, width);
  else {
    setStyle(pdf, 'regular', 9.5, MUTED);
    const sentence = t('The rules of this ticket are on the last page.');
    drawElement(pdf, 'P', () => pdf.text(sentence, MARGIN, pdf.y + 3, { width }));
  }
  drawQuestions(pdf, sheet, width);
}

type Terms = Pick<Sheet, 't' | 'document' | 'settings' | 'isShared'>;

function drawTermsPage(pdf: Pdf, terms: Terms): void {
  const width = pdf.page.width - 2 * MARGIN;
  const { t, settings, document } = terms;
  drawPageHead(pdf, settings, `${t('Rules')} · ${t('Reference {reference}', document.order)}`);
  pdf.y = 90;
  drawTerms(pdf, terms, width);
  drawQuestions(pdf, terms, width);
}

function drawStatus(pdf: Pdf, status: string, y: number, width: number): number {
  drawElement(pdf, 'P', () => setStyle(pdf, 'bold', 13, ALARM).text(status, MARGIN, y, { width }));
  return pdf.y + 10;
}

function drawCode(pdf: Pdf, { t, ticket, document }: Sheet, top: number): void {
  const alt = t('QR code of the ticket, to be scanned at the gate. Boarding code {code}.', {
    code: ticket.boardingCode,
  });
  const label = t('Boarding code').toLocaleUpperCase(document.order.locale);
  drawElement(pdf, 'Figure', () => drawModules(pdf, ticket, top), { alt });
  const centered = { width: CODE_SIDE, align: 'center' } as const;
  drawElement(pdf, 'P', () =>
    setStyle(pdf, 'regular', 9.5, MUTED).text(label, MARGIN, top + CODE_SIDE + 14, centered),
  );
  drawElement(pdf, 'P', () =>
    setStyle(pdf, 'bold', 25, '#000000').text(ticket.boardingCode, MARGIN, pdf.y + 3, centered),
  );
}

function drawModules(pdf: Pdf, { payload }: TravelTicket, top: number): void {
  const modules = qrModules(payload);
  const module = CODE_SIDE / (modules.length + 8);
  pdf.rect(MARGIN, top, CODE_SIDE, CODE_SIDE).fill('#ffffff');
  for (const [rowIndex, row] of modules.entries()) {
    const y = top + (rowIndex + 4) * module;
    for (const [from, to] of darkRuns(row)) {
      pdf.rect(MARGIN + (from + 4) * module, y, (to - from) * module, module);
    }
  }
  pdf.fill('#000000');
  pdf.roundedRect(MARGIN, top, CODE_SIDE, CODE_SIDE, 8).lineWidth(1).strokeColor(RULE).stroke();
}

type Box = { x: number; y: number; width: number };

function drawDefinitions(pdf: Pdf, sheet: Sheet, box: Box): void {
  const { t, document, who, detail, leg } = sheet;
  const { locale } = document.order;
  const { departs, arrives, lateness } = describeTimes(leg, locale);
  const insteadOf = ({ replaced: planned }: ShownTime) =>
    planned === null ? null : splitAt(planned, (time) => t('instead of {time}', { time }));
  const describeDay = ({ instant }: ShownTime, zone: string) =>
    describeOtherDay(leg, { instant, zone }, locale);
  const toLabel = (text: string) => text.toLocaleUpperCase(locale);
  pdf.y = box.y;
  drawDefinition(pdf, box, toLabel(t('Departs')), departs.text, {
    size: 23,
    replaced: insteadOf(departs),
    notes: [lateness ?? '', describeDay(departs, leg.origin.timeZone), leg.origin.name, leg.origin.address],
  });
  drawDefinition(
    pdf,
    box,
    toLabel(t('Check in by')),
    formatTimeWithZone(leg.checkInClosesAt, leg.origin.timeZone, locale),
    {
      size: 16,
    },
  );
  drawDefinition(pdf, box, toLabel(t('Arrives')), arrives.text, {
    size: 16,
    replaced: insteadOf(arrives),
    notes: [leg.destination.name, describeDay(arrives, leg.destination.timeZone), describeVia(leg, locale)],
  });
  const size = who.length > LONG_NAME ? 11 : 16;
  const incomplete =
    findMissingCharacters(who).length > 0
      ? t('Some characters cannot be printed. Order {reference} has the whole name.', document.order)
      : '';
  drawDefinition(pdf, box, toLabel(t('Ticket for')), who, { size, notes: [detail ?? '', incomplete] });
  drawDefinition(pdf, box, toLabel(t('Vessel')), leg.vesselName, { size: 12 });
  const asked = findAssistance(sheet);
  if (asked) drawDefinition(pdf, box, toLabel(t('Assistance')), asked, { size: 11 });
}

/** Undefined for a ticket without assistance, and for readers who must not know of it. */
function findAssistance({ document, ticket, showsAssistance }: Sheet): string | undefined {
  if (!showsAssistance || ticket.kind !== 'passenger') return undefined;
  return document.assistance?.travelers.find(({ traveler }) => traveler === ticket.partyIndex)?.text;
}

function drawDefinition(
  pdf: Pdf,
  { x, width }: Box,
  label: string,
  value: string,
  { size, replaced = null, notes = [] }: { size: number; replaced?: Split | null; notes?: readonly string[] },
): void {
  drawGroup(pdf, 'LI', () => {
    drawElement(pdf, 'Lbl', () => setStyle(pdf, 'regular', 9.5, MUTED).text(label, x, pdf.y, { width }));
    drawGroup(pdf, 'LBody', () => {
      setStyle(pdf, 'bold', size);
      drawElement(pdf, 'P', () => pdf.text(value, x, pdf.y + 1, { width }));
      setStyle(pdf, 'regular', 11, MUTED);
      if (replaced !== null) {
        const [before, time, after] = replaced;
        drawElement(pdf, 'P', () => {
          pdf.text(before, x, pdf.y + 1, { width, continued: true });
          pdf.text(time, { strike: true, continued: after !== '' });
          if (after !== '') pdf.text(after, { strike: false });
        });
      }
      for (const note of notes.filter(Boolean)) {
        drawElement(pdf, 'P', () => pdf.text(note, x, pdf.y + 1, { width }));
      }
    });
  });
  pdf.y += 13;
}

/** A text around a part that is drawn in another style. */
type Split = readonly [before: string, part: string, after: string];

function splitAt(part: string, write: (part: string) => string): Split {
  const [before = '', after = ''] = write(SEPARATOR).split(SEPARATOR);
  return [before, part, after];
}

const SEPARATOR = '\0';

/** @returns where it ends */
function drawAccessibility(pdf: Pdf, { t, leg, document }: Sheet, { x, y, width }: Box): number {
  if (leg.accessibility.length === 0) return y;
  const label = t('Accessibility').toLocaleUpperCase(document.order.locale);
  drawElement(pdf, 'P', () => setStyle(pdf, 'regular', 9.5, MUTED).text(label, x, y, { width }));
  setStyle(pdf, 'regular', 9.5);
  for (const sentence of leg.accessibility) {
    drawElement(pdf, 'P', () => pdf.text(sentence, x, pdf.y + 2, { width }));
  }
  return pdf.y + 13;
}

function drawTerms(pdf: Pdf, { t, document, settings, isShared }: Terms, width: number): void {
  if (!isShared) {
    const fare = t('{fare} fare', { fare: document.order.fareClassName });
    drawElement(pdf, 'P', () => setStyle(pdf, 'bold', 11).text(fare, MARGIN, pdf.y + 3, { width }));
  }
  setStyle(pdf, 'regular', 9.5, MUTED);
  const ofPurchase = isShared ? [] : [...describePayments(t, document), ...describePurchasedPolicy(document)];
  const terms = [...ofPurchase, ...settings.terms.text];
  for (const sentence of terms) {
    drawElement(pdf, 'P', () => pdf.text(sentence, MARGIN, pdf.y + 3, { width }));
  }
}

function drawQuestions(pdf: Pdf, { t, settings }: Terms, width: number): void {
  const { phone, email } = settings.contact;
  setStyle(pdf, 'regular', 9.5, MUTED);
  const contact = [phone, email].filter((part) => part !== null).join(' · ');
  if (contact === '') return;
  drawElement(pdf, 'P', () => pdf.text(t('Questions: {contact}', { contact }), MARGIN, pdf.y + 9, { width }));
}

/** Without card digits, because tickets are handed to other passengers. */
function describePayments(t: Translate, { paid, order }: TravelDocument): string[] {
  if (paid.length === 0) return [];
  const parts = paid.map(({ method, amount, wallet }) => {
    const card = describeCard(t, { method, network: null, lastFour: null, wallet });
    return t('{amount} by {card}', { amount: formatMoney(amount, order.currency, order.locale), card });
  });
  return [t('Paid: {payments}.', { payments: formatList(order.locale, parts, { type: 'unit' }) })];
}

/** Draws text on one line, reduced until it fits; very long names wrap at the minimum size. */
function drawFitting(
  pdf: Pdf,
  text: string,
  { y, width, size, least }: { y: number; width: number; size: number; least: number },
): number {
  let chosen = size;
  setStyle(pdf, 'bold', chosen);
  while (chosen > least && measureText(pdf, text) > width) {
    chosen -= 1;
    pdf.fontSize(chosen);
  }
  drawElement(pdf, 'H1', () => pdf.text(text, MARGIN, y, { width }));
  return pdf.y;
}

function darkRuns(row: readonly boolean[]): [from: number, to: number][] {
  const runs: [number, number][] = [];
  let from = -1;
  for (let x = 0; x <= row.length; x += 1) {
    if (row[x] && from < 0) from = x;
    if (!row[x] && from >= 0) {
      runs.push([from, x]);
      from = -1;
    }
  }
  return runs;
}
