import { useQuery } from '@tanstack/react-query';
import { removePaymentCard } from '#contract/payment-cards/endpoints.ts';
import { listTripCards } from '#contract/trip-cards/endpoints.ts';
import { formatList } from '#messages/intl.ts';
import { cardName } from '#web/features/payment/card-name.tsx';
import { ConfirmDialog } from '#web/features/site/dialogs.tsx';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import { errorText, hasErrorCode } from '#web/platform/api/api-error.ts';
import { request, requestPage } from '#web/platform/api/request.ts';
import type { PaymentCard, RemovedPaymentCard } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { TRIP_CARDS_KEY } from '#web/platform/query/query-keys.ts';

type DeleteCardDialogProps = {
  card: PaymentCard;
  /** The card that would become the primary card; null if none would. */
  successor: PaymentCard | null;
  isLast: boolean;
  onClose: () => void;
  onDeleted: (removed: RemovedPaymentCard) => void;
};

export function DeleteCardDialog({ card, successor, isLast, onClose, onDeleted }: DeleteCardDialogProps) {
  const removal = useAction(() => remove(card), { onDone: onDeleted, explain: errorText });
  return (
    <ConfirmDialog
      title={t('Delete {card}?', { card: cardName(card) })}
      cancel={t('Keep this card')}
      confirm={t('Delete this card')}
      pendingText={t('Deleting…')}
      action={removal}
      onClose={onClose}
    >
      <ul>
        <li>{t('You can no longer pay with it. Paid orders stay valid.')}</li>
        {successor && <li>{t('{card} becomes your primary card.', { card: cardName(successor) })}</li>}
        {card.primary && successor === null && (
          <li>
            {t(
              isLast
                ? 'This is your only saved card. You can still enter a card when you pay.'
                : 'Your other cards have expired, so you’ll have no primary card.',
            )}
          </li>
        )}
        <TripCardsWithout card={card} />
        <li>{t('Refunds still go back to it. You can add it again at any time.')}</li>
      </ul>
    </ConfirmDialog>
  );
}

/** Names the trip cards that this card tops up. The customer's own cards are on the first page. */
function TripCardsWithout({ card }: { card: PaymentCard }) {
  const list = useQuery({
    queryKey: [...TRIP_CARDS_KEY, 'topped-up-with', card.id],
    queryFn: ({ signal }) => requestPage(listTripCards, { page: 1, signal }),
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  const names = list.data?.data
    .filter(({ autoTopUp }) => autoTopUp?.paymentCardId === card.id)
    .map(({ name }) => name);
  if (names?.length === 0) return null;
  return (
    <li>
      {names
        ? t(
            '{count, plural, one {{cards} is} other {{cards} are}} no longer topped up until you choose another payment card there.',
            { count: names.length, cards: formatList(textLanguage(), names) },
          )
        : t(
            'A trip card that it tops up automatically is no longer topped up until you choose another payment card there.',
          )}
    </li>
  );
}

/** A card that is already deleted counts as deleted. */
async function remove({ id }: PaymentCard): Promise<RemovedPaymentCard> {
  try {
    return await request(removePaymentCard, { params: { id } });
  } catch (error) {
    if (hasErrorCode(error, 'not_found')) return { id, promoted: null };
    throw error;
  }
}
