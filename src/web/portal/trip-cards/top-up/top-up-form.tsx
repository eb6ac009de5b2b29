import { type FormEvent, useState } from 'react';
import { isTopUpAmount, type TopUpLimits, topUpLimits } from '#domain/trip-cards/card-charges.ts';
import { ProblemBox } from '#web/features/payment/problem-box.tsx';
import { SavedCardPicker, useCardChoice } from '#web/features/payment/saved-card-picker.tsx';
import { useSavedCards } from '#web/features/payment/use-saved-cards.ts';
import type { TripCard } from '#web/platform/api/types.ts';
import type { Problems } from '#web/platform/forms/problems.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { ProblemList, useProblems } from '#web/portal/forms/use-problems.tsx';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { TextField } from '#web/ui/form/field.tsx';
import { Segmented } from '#web/ui/form/segmented.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { describeLimits, parseAmount } from '../amounts.ts';
import type { TopUpInput } from './pending-top-up.ts';

const OTHER = 'other';

type TopUpFormProps = {
  card: TripCard;
  /** Why the try before this one failed. */
  failure: string | null;
  onStart: (input: TopUpInput) => void;
};

/** How much, and what it is paid with. */
export function TopUpForm({ card, failure, onStart }: TopUpFormProps) {
  const { currency } = card;
  const limits = topUpLimits(useSettings().top_up, currency);
  const { presets, min, max } = limits;
  const [choice, setChoice] = useState(presets[0] === undefined ? OTHER : String(presets[0]));
  const [typed, setTyped] = useState('');
  const [saveCard, setSaveCard] = useState(false);
  const saved = useSavedCards();
  const [chosen, choose] = useCardChoice(saved.cards);
  const { errors, show, problems, fieldProps } = useProblems(['amount'] as const);
  const amount = choice === OTHER ? parseAmount(typed, currency) : Number(choice);
  const isNew = chosen === null;
  useBusyWhile(typed !== '', 'an amount being typed');

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    if (saved.isPending || !show(check(amount, limits, currency)) || amount === null) return;
    onStart({ amount, paymentCardId: chosen?.id ?? null, saveCard: isNew && saveCard });
  }

  return (
    <form noValidate onSubmit={handleSubmit}>
      <Stack>
        <ProblemBox title="Not paid" text={failure} />
        <ProblemList title="Please check the amount" errors={errors} form={problems.form} />
        <Segmented
          legend="How much"
          value={choice}
          onChange={setChoice}
          options={[
            ...presets.map((preset) => ({ value: String(preset), label: shortMoney(preset, currency) })),
            { value: OTHER, label: 'Other' },
          ]}
        />
        {choice === OTHER && (
          <TextField
            {...fieldProps('amount')}
            label={`Amount (${currency})`}
            hint={`From ${formatMoney(min, currency)} to ${formatMoney(max, currency)}.`}
            inputMode="decimal"
            autoComplete="off"
            maxLength={12}
            value={typed}
            onChange={(event) => setTyped(event.target.value)}
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
            onChange={(event) => setSaveCard(event.target.checked)}
          />
        )}
        <Button type="submit" size="large" block icon="card" needsConnection isPending={saved.isPending}>
          {isNew ? 'Enter card details' : amount === null ? 'Pay' : `Pay ${formatMoney(amount, currency)}`}
        </Button>
      </Stack>
    </form>
  );
}

function check(amount: number | null, limits: TopUpLimits, currency: string): Problems<'amount'> {
  if (amount !== null && isTopUpAmount(amount, limits)) return {};
  return { amount: describeLimits(limits, currency) };
}

/** "$20" */
function shortMoney(amount: number, currency: string): string {
  return formatMoney(amount, currency).replace(/\.00$/, '');
}
