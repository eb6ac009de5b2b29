import type { CardProblem } from '#contract/desk/card-sales/kinds.ts';
import type { InvoiceState } from '#contract/invoices/states.ts';
import { type Message, message } from '#messages/translate.ts';
import { t } from '#web/language/texts.ts';
import type { CardSaleSummary } from '#web/platform/api/types.ts';

/** Why a card cannot get what is sold. */
export const CARD_PROBLEM_TEXTS: Readonly<Record<CardProblem, Message>> = {
  not_a_number: message('This is not the number of a trip card. Check its digits.'),
  unknown: message('This card was not issued here.'),
  blocked: message('This card is frozen or lost.'),
  other_use: message('This card is already used for money or another pass, or is in an account.'),
};

const STATES: Readonly<Record<InvoiceState, Message>> = {
  open: message('Invoice, not paid yet'),
  overdue: message('Invoice, overdue'),
  paid: message('Invoice, paid'),
};

/** How a sale was or is to be paid. */
export function describePayment({
  method,
  invoice,
  takenBackAt,
}: Pick<CardSaleSummary, 'method' | 'invoice' | 'takenBackAt'>): string {
  if (takenBackAt !== null) return t('Taken back|a sale');
  if (invoice) return t(STATES[invoice.state]);
  return method === 'terminal' ? t('Card terminal') : t('Cash');
}
