import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { portalPages } from '#contract/paths.ts';
import { ProblemBox } from '#web/features/payment/problem-box.tsx';
import { useCardChoice, useSavedCards } from '#web/features/payment/saved-cards.tsx';
import { Questions } from '#web/features/site/contact-ways.tsx';
import { t } from '#web/language/texts.ts';
import type { PassTerms, TopUp } from '#web/platform/api/types.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';
import { PayWith } from '../trip-cards/top-up/pay-with.tsx';
import { createTopUpPayment, type TopUpInput } from '../trip-cards/top-up/top-up-payment.ts';
import { TopUpSteps } from '../trip-cards/top-up/top-up-steps.tsx';
import { PassConditions } from './pass-conditions.tsx';

type PassFlowProps = {
  /** The passes to choose from; at least one. */
  passes: readonly PassTerms[];
  title: string;
};

/** Buys one of the passes. */
export function PassFlow({ passes, title }: PassFlowProps) {
  const client = useQueryClient();
  const [payment] = useState(() => createTopUpPayment(null, client, () => {}));
  return (
    <TopUpSteps
      payment={payment}
      currency={passes[0]?.currency ?? ''}
      title={title}
      choose={(failure) => <PassForm passes={passes} failure={failure} onStart={payment.begin} />}
      paid={(purchase) => <Paid purchase={purchase} />}
      ifClosed={
        <>
          {t(
            'You can close this page. If the payment goes through, the trips will be on your pass. If it fails, you are not charged.',
          )}{' '}
          <Questions />
        </>
      }
    />
  );
}

function Paid({ purchase: { trips = 0, receiptNumber } }: { purchase: TopUp }) {
  return (
    <Notice
      type="success"
      role="status"
      title={t('{trips, plural, one {# trip} other {# trips}} added', { trips })}
      action={<ButtonLink to={portalPages.tripCards}>{t('See your pass')}</ButtonLink>}
    >
      {t('Your pass is ready. Show its code at the gate, or pay for tickets with it.')}{' '}
      {receiptNumber !== null && t('Your receipt is {number}.', { number: receiptNumber })}
    </Notice>
  );
}

type PassFormProps = Pick<PassFlowProps, 'passes'> & {
  failure: string | null;
  onStart: (input: TopUpInput) => void;
};

function PassForm({ passes, failure, onStart }: PassFormProps) {
  const saved = useSavedCards();
  const choice = useCardChoice(saved.cards);
  const [card] = choice;
  const form = useForm({
    initial: { code: passes[0]?.code ?? '', saveCard: false },
    send: ({ code, saveCard }) => {
      const pass = passes.find((each) => each.code === code);
      if (saved.isPending || pass === undefined) return;
      onStart({
        passCode: pass.code,
        amount: pass.price,
        paymentCardId: card?.id ?? null,
        saveCard: card === null && saveCard,
      });
    },
  });
  const { code, saveCard } = form.values;
  const pass = passes.find((each) => each.code === code);
  return (
    <Form form={form} problemTitle={t('Please check your choice')}>
      <ProblemBox title={t('Not paid')} text={failure} />
      {passes.length > 1 && (
        <RadioCards
          legend={t('Which pass')}
          value={code}
          onChange={(value) => form.change({ code: value })}
          options={passes.map((each) => ({
            value: each.code,
            label: `${each.name}, ${formatMoney(each.price, each.currency)}`,
            description: each.summary,
          }))}
        />
      )}
      {pass && <Conditions pass={pass} isNamed={passes.length === 1} />}
      <PayWith
        saved={saved}
        choice={choice}
        saveCard={saveCard}
        onSaveCard={(isSaved) => form.change({ saveCard: isSaved })}
        amount={pass?.price ?? null}
        currency={pass?.currency ?? ''}
      />
    </Form>
  );
}

function Conditions({ pass, isNamed }: { pass: PassTerms; isNamed: boolean }) {
  return (
    <div>
      {isNamed && (
        <p>
          <strong>
            {pass.name}, {formatMoney(pass.price, pass.currency)}
          </strong>
        </p>
      )}
      <PassConditions pass={pass} />
    </div>
  );
}
