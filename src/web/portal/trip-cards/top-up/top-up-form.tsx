import { getTopUpLimits, isTopUpAmount } from '#domain/trip-cards/card-charges.ts';
import { ProblemBox } from '#web/features/payment/problem-box.tsx';
import { SavedCardPicker, useCardChoice } from '#web/features/payment/saved-card-picker.tsx';
import { useSavedCards } from '#web/features/payment/use-saved-cards.ts';
import type { TripCard } from '#web/platform/api/types.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { Segmented } from '#web/ui/form/segmented.tsx';
import { AmountField, describeLimits, parseAmount } from '../amounts.tsx';
import type { TopUpInput } from './pending-top-up.ts';

const OTHER = 'other';

type TopUpFormProps = {
  card: TripCard;
  /** Why the previous payment failed. */
  failure: string | null;
  onStart: (input: TopUpInput) => void;
};

export function TopUpForm({ card, failure, onStart }: TopUpFormProps) {
  const { currency } = card;
  const limits = getTopUpLimits(useSettings().top_up, currency);
  const { presets, min, max } = limits;
  const saved = useSavedCards();
  const [chosen, choose] = useCardChoice(saved.cards);
  const isNew = chosen === null;
  const form = useForm({
    initial: { choice: String(presets[0] ?? OTHER), amount: '', saveCard: false },
    check: (values): { amount?: string } => {
      const amount = readAmount(values, currency);
      const isValid = amount !== null && isTopUpAmount(amount, limits);
      return isValid ? {} : { amount: describeLimits(limits, currency) };
    },
    send: (values) => {
      const amount = readAmount(values, currency);
      if (saved.isPending || amount === null) return;
      onStart({ amount, paymentCardId: chosen?.id ?? null, saveCard: isNew && values.saveCard });
    },
  });
  const { choice, saveCard } = form.values;
  const amount = readAmount(form.values, currency);
  useBusyWhile(form.values.amount !== '', 'an amount being typed');
  return (
    <Form form={form} problemTitle="Please check the amount">
      <ProblemBox title="Not paid" text={failure} />
      <Segmented
        legend="How much"
        value={choice}
        onChange={(value) => form.change({ choice: value })}
        options={[
          ...presets.map((preset) => ({ value: String(preset), label: shortMoney(preset, currency) })),
          { value: OTHER, label: 'Other' },
        ]}
      />
      {choice === OTHER && (
        <AmountField
          {...form.input('amount')}
          label="Amount"
          currency={currency}
          hint={`From ${formatMoney(min, currency)} to ${formatMoney(max, currency)}.`}
        />
      )}
      {saved.isPending ? (
        <output>
          <span className="visually-hidden">Loading your payment cards…</span>
          <Skeleton height="3rem" lines={2} />
        </output>
      ) : (
        saved.cards.length > 0 && <SavedCardPicker cards={saved.cards} chosen={chosen} onChoose={choose} />
      )}
      {!saved.isPending && isNew && (
        <Checkbox
          label="Save this card for next time"
          description="You can delete it at any time under Payment Methods."
          checked={saveCard}
          onChange={(event) => form.change({ saveCard: event.target.checked })}
        />
      )}
      <Button type="submit" size="large" block icon="card" needsConnection isPending={saved.isPending}>
        {isNew ? 'Enter card details' : amount === null ? 'Pay' : `Pay ${formatMoney(amount, currency)}`}
      </Button>
    </Form>
  );
}

function readAmount({ choice, amount }: { choice: string; amount: string }, currency: string): number | null {
  return choice === OTHER ? parseAmount(amount, currency) : Number(choice);
}

/** "$20" */
function shortMoney(amount: number, currency: string): string {
  return formatMoney(amount, currency).replace(/\.00$/, '');
}
