import type { EntryCause } from '#domain/trip-cards/entry-cause.ts';
import { type Message, message, type Translate } from '#messages/translate.ts';

/** "Ferry tickets K7QF-2M9P": the text of a ledger entry. */
export function describeEntry(t: Translate, cause: EntryCause): string {
  switch (cause.code) {
    case 'tickets':
      return t('Ferry tickets {reference}', cause);
    case 'refund':
      return t('Refund of {reference}', cause);
    case 'transfer_to':
      return t('To card ending {digits}', cause);
    case 'transfer_from':
      return t('From card ending {digits}', cause);
    case 'disputed':
      return cause.source === 'top_up'
        ? t('Top-up disputed with the bank')
        : t('Refund disputed with the bank');
    case 'dispute_ended':
      return cause.source === 'top_up' ? t('Top-up no longer disputed') : t('Refund no longer disputed');
    case 'disputed_debt':
      return cause.source === 'top_up' ? t('Owed from a disputed top-up') : t('Owed from a disputed refund');
    default:
      return t(TEXTS[cause.code]);
  }
}

const TEXTS = {
  issued: message('On the card when it was sold'),
  gate: message('Fare at the gate'),
  fare_debt: message('Fare owed from before'),
  gate_undone: message('Fare at the gate, taken back'),
  top_up: message('Top-up'),
  auto_top_up: message('Automatic top-up'),
  sale_taken_back: message('Sale taken back'),
  pass_bought: message('Pass bought'),
  pass_renewed: message('Pass renewed'),
} satisfies Record<string, Message>;
