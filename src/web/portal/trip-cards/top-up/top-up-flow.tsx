import { getTopUpLimits, isTopUpAmount } from '#domain/trip-cards/card-charges.ts';
import { ProblemBox } from '#web/features/payment/problem-box.tsx';
import { useCardChoice, useSavedCards } from '#web/features/payment/saved-cards.tsx';
import { Questions } from '#web/features/site/contact-ways.tsx';
import { cardTitle } from '#web/features/trip-card/trip-card.ts';
import { t } from '#web/language/texts.ts';
import type { MoneyCard, TopUp } from '#web/platform/api/types.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { formatMoney, formatShortMoney } from '#web/ui/data/money.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { Segmented } from '#web/ui/form/segmented.tsx';
import { AmountField, describeLimits, parseAmount } from '../amounts.tsx';
import { PayWith } from './pay-with.tsx';
import type { TopUpInput, TopUpPayment } from './top-up-payment.ts';
import { TopUpSteps } from './top-up-steps.tsx';

type TopUpFlowProps = { card: MoneyCard; payment: TopUpPayment };

export function TopUpFlow({ card, payment }: TopUpFlowProps) {
  return (
    <TopUpSteps
      payment={payment}
      currency={card.currency}
      title={t('Top up')}
      choose={(failure) => <TopUpForm card={card} failure={failure} onStart={payment.begin} />}
      paid={(topUp) => (
        <Paid topUp={topUp} card={card} onAgain={() => payment.dispatch({ type: 'start-over' })} />
      )}
      ifClosed={
        <>
          {t(
            'You can close this page. If the payment goes through, the money will be on your trip card. If it fails, you are not charged.',
          )}{' '}
          <Questions />
        </>
      }
    />
  );
}

type PaidProps = { topUp: TopUp; card: MoneyCard; onAgain: () => void };

function Paid({ topUp, card, onAgain }: PaidProps) {
  return (
    <Notice
      type="success"
      role="status"
      title={t('{amount} is on {card}', {
        amount: formatMoney(topUp.amount, topUp.currency),
        card: cardTitle(card),
      })}
      action={
        <Button variant="secondary" onClick={onAgain}>
          {t('Top up again')}
        </Button>
      }
    >
      {t('You can pay with it now.')}{' '}
      {topUp.receiptNumber !== null && t('Your receipt is {number}.', { number: topUp.receiptNumber })}
    </Notice>
  );
}

const OTHER = 'other';

type TopUpFormProps = {
  card: MoneyCard;
  /** Why the previous payment failed. */
  failure: string | null;
  onStart: (input: TopUpInput) => void;
};

function TopUpForm({ card, failure, onStart }: TopUpFormProps) {
  const { currency } = card;
  const limits = getTopUpLimits(useSettings().top_up, currency);
  const { presets, min, max } = limits;
  const saved = useSavedCards();
  const choice = useCardChoice(saved.cards);
  const [chosen] = choice;
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
      onStart({
        passCode: null,
        amount,
        paymentCardId: chosen?.id ?? null,
        saveCard: isNew && values.saveCard,
      });
    },
  });
  const { choice: choiceOfAmount, saveCard } = form.values;
  const amount = readAmount(form.values, currency);
  useBusyWhile(form.values.amount !== '', 'an amount being typed');
  return (
    <Form form={form} problemTitle={t('Please check the amount')}>
      <ProblemBox title={t('Not paid')} text={failure} />
      <Segmented
        legend={t('How much')}
        value={choiceOfAmount}
        onChange={(value) => form.change({ choice: value })}
        options={[
          ...presets.map((preset) => ({ value: String(preset), label: formatShortMoney(preset, currency) })),
          { value: OTHER, label: t('Other') },
        ]}
      />
      {choiceOfAmount === OTHER && (
        <AmountField
          {...form.input('amount')}
          label={t('Amount')}
          unit={{ currency }}
          hint={t('From {min} to {max}.', {
            min: formatMoney(min, currency),
            max: formatMoney(max, currency),
          })}
        />
      )}
      <PayWith
        saved={saved}
        choice={choice}
        saveCard={saveCard}
        onSaveCard={(isSaved) => form.change({ saveCard: isSaved })}
        amount={amount}
        currency={currency}
      />
    </Form>
  );
}

function readAmount({ choice, amount }: { choice: string; amount: string }, currency: string): number | null {
  return choice === OTHER ? parseAmount(amount, currency) : Number(choice);
}
