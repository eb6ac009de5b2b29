import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { useNavigate } from 'react-router';
import { portalPages } from '#contract/paths.ts';
import { deleteCustomer, exportCustomer } from '#contract/privacy/endpoints.ts';
import { listTripCards } from '#contract/trip-cards/endpoints.ts';
import { Questions } from '#web/features/site/contact-ways.tsx';
import { ActionButton } from '#web/features/site/problem.tsx';
import { formatOnCard } from '#web/features/trip-card/card-amount.ts';
import { isExpired, isOwn, titleWithNumber } from '#web/features/trip-card/trip-card.ts';
import { t } from '#web/language/texts.ts';
import { errorText } from '#web/platform/api/api-error.ts';
import { request, requestPage, requestVerbatim } from '#web/platform/api/request.ts';
import type { TripCard } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { useForm } from '#web/platform/forms/use-form.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { TRIP_CARDS_KEY } from '#web/platform/query/query-keys.ts';
import { saveFile } from '#web/platform/save-file.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { clearSession, forgetSignInExpired } from '#web/platform/session/session.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Button, ButtonLink } from '#web/ui/form/button.tsx';
import { Checkbox } from '#web/ui/form/checkbox.tsx';
import { Form } from '#web/ui/form/form.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';

const EXPORT_TIMEOUT = 30_000;
/** Deleting an account with many orders takes longer. */
const DELETE_TIMEOUT = 30_000;

export function YourDataCard() {
  const [isDeleting, setIsDeleting] = useState(false);
  return (
    <Card title={t('Your data')}>
      <Stack gap="lg">
        <Download />
        <Stack gap="sm">
          <p>{t('Deleting your account removes your data. Your tickets stay valid.')}</p>
          <Button variant="secondary" onClick={() => setIsDeleting(true)}>
            {t('Delete my account')}
          </Button>
        </Stack>
      </Stack>
      {isDeleting && <DeleteDialog onClose={() => setIsDeleting(false)} />}
    </Card>
  );
}

function Download() {
  const download = useAction(() => requestVerbatim(exportCustomer, { timeoutMs: EXPORT_TIMEOUT }), {
    onDone: (data) => {
      const day = new Date().toISOString().slice(0, 10);
      saveFile(`my-data-${day}.json`, 'application/json', JSON.stringify(data, null, 2));
    },
    explain: errorText,
  });
  return (
    <Stack gap="sm">
      <p>{t('Your details, orders and sign-ins in one file.')}</p>
      {download.isDone && (
        <Notice type="success" role="status">
          {t('Your file is in your downloads.')}
        </Notice>
      )}
      <ActionButton action={download} icon="download" pendingText={t('Preparing…')}>
        {t('Download my data')}
      </ActionButton>
    </Stack>
  );
}

function DeleteDialog({ onClose }: { onClose: () => void }) {
  const formId = useId();
  const navigate = useNavigate();
  const form = useForm({
    initial: { isAgreed: false },
    check: ({ isAgreed }): { isAgreed?: string } =>
      isAgreed ? {} : { isAgreed: t('Check this box if you want to delete your account.') },
    send: () => request(deleteCustomer, { timeoutMs: DELETE_TIMEOUT }),
    onDone: async () => {
      void clearSession();
      forgetSignInExpired();
      await navigate(portalPages.signIn, { replace: true });
      // After the navigation, which clears the notifications of the screen before.
      notify(t('Your account is deleted. Thank you for traveling with us.'), {
        type: 'success',
        persistent: true,
      });
    },
  });
  const cardsWithMoney = useCardsWithMoney();
  useBusyWhile(true, 'an account being deleted');
  return (
    <Modal
      size="lg"
      title={t('Delete your account?')}
      onClose={onClose}
      canClose={!form.isPending}
      footer={
        <>
          <Button variant="secondary" aria-disabled={form.isPending} onClick={onClose}>
            {t('Keep my account')}
          </Button>
          {cardsWithMoney.length === 0 && (
            <Button
              type="submit"
              form={formId}
              variant="danger"
              isPending={form.isPending}
              pendingText={t('Deleting…')}
            >
              {t('Delete my account')}
            </Button>
          )}
        </>
      }
    >
      {cardsWithMoney.length > 0 ? (
        <MoneyOnCards cards={cardsWithMoney} />
      ) : (
        <Form form={form} id={formId}>
          <ul>
            <li>{t('Your tickets stay valid. They are in the emails we sent you.')}</li>
            <li>{t('Your orders are no longer listed here. Keep those emails.')}</li>
            <li>{t('We remove your details and passkeys, and sign you out everywhere.')}</li>
          </ul>
          <Checkbox
            {...form.field('isAgreed')}
            label={t('I understand that this cannot be undone')}
            checked={form.values.isAgreed}
            onChange={(event) => form.change({ isAgreed: event.target.checked })}
          />
        </Form>
      )}
    </Modal>
  );
}

/** The server keeps an account whose cards hold money, because that money would be lost. */
function useCardsWithMoney(): TripCard[] {
  const { data } = useQuery({
    queryKey: [...TRIP_CARDS_KEY, 'with-money'],
    // The customer's own cards are on the first page.
    queryFn: ({ signal }) => requestPage(listTripCards, { page: 1, query: { include: 'passes' }, signal }),
    retry: false,
    staleTime: 0,
    gcTime: 0,
  });
  return data?.data.filter((card) => isOwn(card) && card.balance > 0 && !isExpired(card, serverNow())) ?? [];
}

function MoneyOnCards({ cards }: { cards: readonly TripCard[] }) {
  return (
    <Notice
      type="warning"
      role="alert"
      title={t(
        cards.some(({ unit }) => unit !== 'trips')
          ? 'You still have money on your trip cards'
          : 'You still have trips on your trip cards',
      )}
      action={
        <ButtonLink variant="secondary" to={portalPages.tripCards}>
          {t('Trip Cards')}
        </ButtonLink>
      }
    >
      <Stack gap="sm">
        <ul>
          {cards.map((card) => (
            <li key={card.id}>
              {titleWithNumber(card)}: {formatOnCard(card.balance, card)}
            </li>
          ))}
        </ul>
        <p>
          {t('Spend it first, or ask us for a refund. Then you can delete your account.')} <Questions />
        </p>
      </Stack>
    </Notice>
  );
}
