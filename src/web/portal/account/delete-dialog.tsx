import { useMutation, useQuery } from '@tanstack/react-query';
import { type FormEvent, useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { deleteCustomer } from '#contract/accounts/endpoints.ts';
import { portalPages } from '#contract/paths.ts';
import { listTripCards } from '#contract/trip-cards/endpoints.ts';
import { Questions } from '#web/features/site/contact-ways.tsx';
import { errorText } from '#web/platform/api/api-error.ts';
import { request, requestPage } from '#web/platform/api/request.ts';

import type { TripCard } from '#web/platform/api/types.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { TRIP_CARDS_KEY } from '#web/platform/query/query-keys.ts';
import { clearSession, forgetSignInExpired } from '#web/platform/session/session.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button, ButtonLink } from '#web/ui/form/button.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';
import { StepUpCancelled } from '../step-up/step-up.ts';
import { useStepUp } from '../step-up/use-step-up.ts';
import { isOwn } from '../trip-cards/rights.ts';
import { titleWithNumber } from '../trip-cards/words.ts';

/** An account with many orders takes a while. */
const DELETE_TIMEOUT = 30_000;

export function DeleteDialog({ onClose }: { onClose: () => void }) {
  const formId = useId();
  const boxId = useId();
  const [isAgreed, setIsAgreed] = useState(false);
  const [isMissing, setIsMissing] = useState(false);
  const removal = useRemoval();
  const cardsWithMoney = useCardsWithMoney();
  useBusyWhile(true, 'an account being deleted');

  function handleSubmit(event: FormEvent) {
    event.preventDefault();
    setIsMissing(!isAgreed);
    if (isAgreed) removal.start();
    else document.getElementById(boxId)?.focus();
  }

  return (
    <Modal
      size="lg"
      title="Delete your account?"
      onClose={onClose}
      canClose={!removal.isPending}
      footer={
        <>
          <Button variant="secondary" aria-disabled={removal.isPending} onClick={onClose}>
            Keep my account
          </Button>
          {cardsWithMoney.length === 0 && (
            <Button
              type="submit"
              form={formId}
              variant="danger"
              isPending={removal.isPending}
              pendingText="Deleting…"
            >
              Delete my account
            </Button>
          )}
        </>
      }
    >
      {cardsWithMoney.length > 0 ? (
        <MoneyOnCards cards={cardsWithMoney} />
      ) : (
        <form id={formId} noValidate onSubmit={handleSubmit}>
          <Stack>
            <ul>
              <li>Your tickets stay valid. They are in the emails we sent you.</li>
              <li>Your orders are no longer listed here. Keep those emails.</li>
              <li>We remove your details and passkeys, and sign you out everywhere.</li>
            </ul>
            {removal.problem && (
              <Notice type="alert" role="alert">
                {removal.problem}
              </Notice>
            )}
            <Checkbox
              id={boxId}
              label="I understand that this cannot be undone"
              checked={isAgreed}
              onChange={(event) => setIsAgreed(event.target.checked)}
              error={
                isMissing && !isAgreed ? 'Check this box if you want to delete your account.' : undefined
              }
            />
          </Stack>
        </form>
      )}
    </Modal>
  );
}

/** The server keeps an account whose cards hold money, because that money would be lost. */
function useCardsWithMoney(): TripCard[] {
  const { data } = useQuery({
    queryKey: [...TRIP_CARDS_KEY, 'with-money'],
    // The customer's own cards are on the first page.
    queryFn: ({ signal }) => requestPage(listTripCards, { page: 1, signal }),
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  return data?.data.filter((card) => isOwn(card) && card.balance > 0) ?? [];
}

function MoneyOnCards({ cards }: { cards: readonly TripCard[] }) {
  return (
    <Notice
      type="warning"
      role="alert"
      title="You still have money on your trip cards"
      action={
        <ButtonLink variant="secondary" to={portalPages.tripCards}>
          Trip Cards
        </ButtonLink>
      }
    >
      <Stack gap="sm">
        <ul>
          {cards.map((card) => (
            <li key={card.id}>
              {titleWithNumber(card)}: {formatMoney(card.balance, card.currency)}
            </li>
          ))}
        </ul>
        <p>
          Spend it first, or ask us for a refund. Then you can delete your account. <Questions />
        </p>
      </Stack>
    </Notice>
  );
}

function useRemoval() {
  const navigate = useNavigate();
  const stepUp = useStepUp();
  const removal = useMutation({
    mutationFn: () => stepUp.run(() => request(deleteCustomer, { timeoutMs: DELETE_TIMEOUT })),
    onSuccess: async () => {
      void clearSession();
      forgetSignInExpired();
      await navigate(portalPages.signIn, { replace: true });
      // Not before: what has been on screen goes with the screen it was on.
      notify('Your account is deleted. Thank you for traveling with us.', {
        type: 'success',
        persistent: true,
      });
    },
  });
  const isRefused = removal.error !== null && !(removal.error instanceof StepUpCancelled);
  return {
    start: () => {
      if (!removal.isPending) removal.mutate();
    },
    isPending: removal.isPending,
    problem: isRefused ? errorText(removal.error) : null,
  };
}
