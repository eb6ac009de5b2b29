import { useState } from 'react';
import { portalPages } from '#contract/paths.ts';
import { removeAutoTopUp, setAutoTopUp } from '#contract/trip-cards/endpoints.ts';
import { CardName, cardName } from '#web/features/payment/card-name.tsx';
import { useSavedCards } from '#web/features/payment/saved-cards.tsx';
import { Problem } from '#web/features/site/problem.tsx';
import { formatWhen } from '#web/features/site/timestamp.tsx';
import { useNow } from '#web/features/site/use-now.ts';
import { cardTitle, findNextAutoTopUp } from '#web/features/trip-card/trip-card.ts';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { AutoTopUp, MoneyCard, PaymentCard } from '#web/platform/api/types.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button, ButtonLink } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { useCardAction } from '../use-card-action.ts';
import { AutoTopUpDialog } from './auto-top-up-dialog.tsx';
import type { TopUpInput } from './top-up-payment.ts';

type AutoTopUpCardProps = {
  card: MoneyCard;
  /** When a paid top-up began to save its card, in milliseconds. */
  cardExpectedSince: number | null;
  onTopUpNow: (input: TopUpInput) => void;
};

export function AutoTopUpCard({ card, cardExpectedSince, onTopUpNow }: AutoTopUpCardProps) {
  const { autoTopUp } = card;
  const saved = useSavedCards(cardExpectedSince);
  const [isOpen, setIsOpen] = useState(false);
  const open = () => setIsOpen(true);
  return (
    <Card
      title={t('Automatic top-up')}
      action={autoTopUp?.state === 'paused' && <Badge>{t('Paused')}</Badge>}
    >
      {autoTopUp === null ? (
        <Stack gap="sm">
          <p>
            {t('When the balance falls below an amount you choose, we top it up from a saved payment card.')}
          </p>
          {saved.isPending ? null : saved.cards.length > 0 ? (
            <Button variant="secondary" needsConnection onClick={open}>
              {t('Set up automatic top-up')}
            </Button>
          ) : saved.isAwaited ? (
            <p>{t('Your payment card is being saved…')}</p>
          ) : (
            <ButtonLink variant="secondary" to={portalPages.paymentMethods} needsConnection>
              {t('Save a payment card first')}
            </ButtonLink>
          )}
        </Stack>
      ) : (
        <RunningAutoTopUp
          card={card}
          auto={autoTopUp}
          paidWith={saved.cards.find(({ id }) => id === autoTopUp.paymentCardId)}
          onChange={open}
          onTopUpNow={onTopUpNow}
        />
      )}
      {isOpen && <AutoTopUpDialog card={card} payWith={saved.cards} onClose={() => setIsOpen(false)} />}
    </Card>
  );
}

type RunningAutoTopUpProps = Pick<AutoTopUpCardProps, 'card' | 'onTopUpNow'> & {
  auto: AutoTopUp;
  /** Undefined if the card can no longer be charged. */
  paidWith: PaymentCard | undefined;
  onChange: () => void;
};

function RunningAutoTopUp({ card, auto, paidWith, onChange, onTopUpNow }: RunningAutoTopUpProps) {
  const { threshold, amount, paymentCardId, maxPerDay, state } = auto;
  const money = (value: number) => formatMoney(value, card.currency);
  const limits = { threshold: money(threshold), amount: money(amount), count: maxPerDay };
  const now = useNow();
  const nextAutoTopUp = findNextAutoTopUp(card);
  const isPaused = state === 'paused';
  const pause = useCardAction((paused: boolean) =>
    request(setAutoTopUp, {
      params: { id: card.id },
      body: { threshold, amount, paymentCardId, maxPerDay, paused },
    }),
  );
  const end = useCardAction(
    () => request(removeAutoTopUp, { params: { id: card.id } }),
    () => t('{card} is no longer topped up automatically.', { card: cardTitle(card) }),
  );
  return (
    <Stack gap="sm">
      <p>
        {paidWith
          ? rich(
              'Below {threshold} we add {amount} with <card>{name}</card>, {count, plural, =1 {once a day} other {# times a day}} at most.',
              { ...limits, card: () => <CardName card={paidWith} />, name: cardName(paidWith) },
            )
          : t(
              'Below {threshold} we add {amount}, {count, plural, =1 {once a day} other {# times a day}} at most.',
              limits,
            )}
      </p>
      {nextAutoTopUp !== null && nextAutoTopUp !== 'now' && Date.parse(nextAutoTopUp.at) > now && (
        <p>
          {t('The balance is below that. We’ll try the next top-up {time}.', {
            time: formatWhen(nextAutoTopUp.at, now),
          })}
        </p>
      )}
      {state === 'needs_card' && (
        <Notice
          type="warning"
          title={t('The payment card did not work')}
          action={
            <Button needsConnection onClick={onChange}>
              {t('Choose another card')}
            </Button>
          }
        >
          {t('Choose another card to restart automatic top-ups.')}
        </Notice>
      )}
      {state === 'needs_authentication' && (
        <Notice
          type="warning"
          title={t('Your bank needs to check it’s you')}
          action={
            card.status === 'active' && (
              <Button
                needsConnection
                onClick={() => onTopUpNow({ passCode: null, amount, paymentCardId, saveCard: false })}
              >
                {t('Top up {amount} now', { amount: money(amount) })}
              </Button>
            )
          }
        >
          {t('Confirm one payment with your bank. Automatic top-ups then restart.')}
        </Notice>
      )}
      <Problem text={pause.problem ?? end.problem} />
      <Cluster>
        <Button variant="secondary" size="small" needsConnection onClick={onChange}>
          {t('Change')}
        </Button>
        {(isPaused || state === 'ok') && (
          <Button
            variant="secondary"
            size="small"
            needsConnection
            isPending={pause.isPending}
            onClick={() => pause.run(!isPaused)}
          >
            {t(isPaused ? 'Resume' : 'Pause')}
          </Button>
        )}
        <Button
          variant="quiet"
          size="small"
          needsConnection
          isPending={end.isPending}
          onClick={() => end.run()}
        >
          {t('Turn off')}
        </Button>
      </Cluster>
    </Stack>
  );
}
