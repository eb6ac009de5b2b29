import type { WorkKind } from '#contract/desk/work-kinds.ts';
import { type Message, message } from '#messages/translate.ts';

/** In the order in which they matter. `about`: what to do. */
export const WORK_KINDS: readonly { kind: WorkKind; title: Message; about: Message }[] = [
  {
    kind: 'refund_asked',
    title: message('Refunds to approve'),
    about: message(
      'A colleague asks for more than one person may refund. A manager opens the order and decides.',
    ),
  },
  {
    kind: 'refund_due',
    title: message('Refunds to pay out'),
    about: message(
      'They were paid in cash, at a card terminal or by bank transfer. Pay them out the same way, and note it here.',
    ),
  },
  {
    kind: 'refund_returned',
    title: message('Refunds that a bank returned'),
    about: message('The card is closed, for example. Ask the buyer where the money shall go.'),
  },
  {
    kind: 'refund_overdue',
    title: message('Refunds that could not be made'),
    about: message(
      'The boat did not run and the deadline is over, but the payment is disputed or its card is gone.',
    ),
  },
  {
    kind: 'payment_doubtful',
    title: message('Payments with an unknown outcome'),
    about: message('Look them up at the card provider before you promise anything.'),
  },
  {
    kind: 'payment_disputed',
    title: message('Disputed payments'),
    about: message('Answer at the card provider with the order, its tickets and whether they were used.'),
  },
  {
    kind: 'vehicle_unpaid',
    title: message('Vehicles that were not as booked'),
    about: message('The gate had no connection and let them aboard. Take the difference, or do without it.'),
  },
  {
    kind: 'invoice_overdue',
    title: message('Invoices that are overdue'),
    about: message('Look for the transfer on the bank statement, or mail a reminder, in “Invoices”.'),
  },
  {
    kind: 'mail_refused',
    title: message('Mails that could not be delivered'),
    about: message('The address may be wrong. Call the buyer.'),
  },
  {
    kind: 'choice_open',
    title: message('Passengers who have not answered'),
    about: message('Their boat does not run as bought. At the deadline they get what the offer says.'),
  },
];
