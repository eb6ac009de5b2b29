import {
  SavedCardPicker,
  type useCardChoice,
  type useSavedCards,
} from '#web/features/payment/saved-cards.tsx';
import { t } from '#web/language/texts.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';

type PayWithProps = {
  saved: ReturnType<typeof useSavedCards>;
  choice: ReturnType<typeof useCardChoice>;
  saveCard: boolean;
  onSaveCard: (isSaved: boolean) => void;
  /** Null while none is chosen. */
  amount: number | null;
  currency: string;
};

/** The payment card of a form, and its button. */
export function PayWith({ saved, choice, saveCard, onSaveCard, amount, currency }: PayWithProps) {
  const [chosen, choose] = choice;
  const isNew = chosen === null;
  return (
    <>
      {saved.isPending ? (
        <output>
          <span className="visually-hidden">{t('Loading your payment cards…')}</span>
          <Skeleton height="3rem" lines={2} />
        </output>
      ) : (
        saved.cards.length > 0 && <SavedCardPicker cards={saved.cards} chosen={chosen} onChoose={choose} />
      )}
      {!saved.isPending && isNew && (
        <Checkbox
          label={t('Save this card for next time')}
          description={t('You can delete it at any time under Payment Methods.')}
          checked={saveCard}
          onChange={(event) => onSaveCard(event.target.checked)}
        />
      )}
      <Button type="submit" size="large" block icon="card" needsConnection isPending={saved.isPending}>
        {isNew
          ? t('Enter card details')
          : amount === null
            ? t('Pay')
            : t('Pay {amount}', { amount: formatMoney(amount, currency) })}
      </Button>
    </>
  );
}
