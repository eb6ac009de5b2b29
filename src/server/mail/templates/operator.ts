import type { WebSettings } from '#contract/settings/schemas.ts';
import { COMMAND_LANGUAGE } from '#messages/text-locale.ts';
import { definitions, type MailContent, type MailTexts, text } from '../mail-content.ts';
import { formatDay } from './day.ts';

/** Template data of mails to the operator, by kind. Days are `YYYY-MM-DD`. */
export type OperatorMailData = {
  'timetable-ends-30': { endsOn: string };
  'timetable-ends-7': { endsOn: string };
  /** `affected` of `sold` sailings would have been canceled or moved. */
  'timetable-not-extended': { until: string; affected: number; sold: number };
  /** References of orders. */
  problems: {
    day: string;
    refunds: string[];
    payments: string[];
    mails: string[];
    unrefunded: string[];
    /** Absent in mails that an earlier release queued. */
    payouts?: string[];
  };
};
export type OperatorMailKind = keyof OperatorMailData;
export type OperatorMail = {
  [Kind in OperatorMailKind]: { kind: Kind; data: OperatorMailData[Kind] };
}[OperatorMailKind];

const IMPORT = 'npm run import -- FOLDER';

/** The content of a mail to the operator. The title is the subject too. */
export function operatorMailContent(mail: OperatorMail, settings: WebSettings): MailContent {
  const { brand, language } = settings;
  const { title, parts } = createTexts(mail, (day) => formatDay(day, language));
  const footer = [`Sent by the ticket office of ${brand.name} to the contact address in its settings.`];
  return {
    language: COMMAND_LANGUAGE,
    brandName: brand.name,
    accent: brand.accent,
    title,
    parts,
    footer,
    footerLinks: [],
  };
}

function createTexts(mail: OperatorMail, format: (day: string) => string): MailTexts {
  if (mail.kind === 'timetable-not-extended') return notExtended(mail.data, format);
  if (mail.kind === 'problems') return problems(mail.data, format);
  const endsOn = format(mail.data.endsOn);
  return {
    title: `Your timetable ends on ${endsOn}`,
    parts: [
      text(`The timetable you imported ends on ${endsOn}. No tickets are sold for later days.`),
      text('Import the feed of the next season:'),
      definitions(['1. See what would change', `${IMPORT} --preview`], ['2. Import it', IMPORT]),
    ],
  };
}

function notExtended(
  { until, affected, sold }: OperatorMailData['timetable-not-extended'],
  format: (day: string) => string,
): MailTexts {
  return {
    title: `No tickets go on sale after ${format(until)}`,
    parts: [
      text(
        `Every day the server imports your timetable again, to put one more day on sale. Today this would have canceled or moved ${affected} of ${sold} sold sailings, so nothing was changed.`,
      ),
      text('This can happen after an update of the software. Check your feed and import it yourself:'),
      definitions(
        ['1. See what would change', `${IMPORT} --preview`],
        ['2. Import it and write to the passengers', `${IMPORT} --accept-changes ${affected}`],
      ),
    ],
  };
}

function problems(
  { day, refunds, payments, mails, unrefunded, payouts = [] }: OperatorMailData['problems'],
  format: (day: string) => string,
): MailTexts {
  const list = (orders: string[], advice: string) =>
    orders.length === 0 ? [] : [text(advice), definitions(['Orders', orders.join(', ')])];
  return {
    title: `Some orders need you, ${format(day)}`,
    parts: [
      ...list(
        refunds,
        'The bank returned these refunds. Repeat one with "npm run orders:refund -- REFERENCE --only-failed", or ask the customer for a trip card and add "--to-trip-card NUMBER".',
      ),
      ...list(
        payments,
        'The outcome of these payments is unknown for more than an hour. Look them up at the card provider. They settle here as soon as it answers.',
      ),
      ...list(
        mails,
        'The mailboxes of these customers refused a mail about their order. Call them if they travel soon.',
      ),
      ...list(
        unrefunded,
        'These orders of a canceled or full sailing were due a refund at the deadline and did not get it. Their payment is disputed, or the trip card that paid is gone. Wait for the bank to decide about a dispute. Then refund with "npm run orders:refund -- REFERENCE".',
      ),
      ...list(
        payouts,
        'The buyers of these orders paid at the counter, and their refund waits there for more than a day. "npm run payments -- due" lists what is to be paid out. Note each with "npm run payments -- paid-out REFUND".',
      ),
    ],
  };
}
