import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { makeCardPrimary } from '#contract/payment-cards/endpoints.ts';
import { type Message, message } from '#messages/translate.ts';
import { CardName, cardName, spokenCardName } from '#web/features/payment/card-name.tsx';
import { usePaymentState } from '#web/features/payment/payment.ts';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { Problem } from '#web/features/site/problem.tsx';
import { t } from '#web/language/texts.ts';
import { errorText } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import type { PaymentCard, RemovedPaymentCard } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { findDraft, usePersistedDraft } from '#web/platform/updates/drafts.ts';
import { RowList } from '#web/ui/data/row-list.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Menu } from '#web/ui/popup/menu.tsx';
import { ShowMore } from '../parts/show-more.tsx';
import { refreshTripCards } from '../trip-cards/queries.ts';
import { AddCard, createCardSetup } from './add-card.tsx';
import { DeleteCardDialog } from './delete-card-dialog.tsx';
import { paymentCardsQuery } from './queries.ts';

const ADD_ID = 'add-card';
const DRAFT = 'add-card';

export function PaymentMethodsScreen() {
  const client = useQueryClient();
  const list = useInfiniteQuery({ ...paymentCardsQuery, refetchOnMount: 'always' });
  const cards = list.data?.pages.flatMap(({ data }) => data);
  const adding = useAdding(handleAdded);
  const [deleting, setDeleting] = useState<PaymentCard | null>(null);
  const refresh = () => client.invalidateQueries({ queryKey: paymentCardsQuery.queryKey });
  const choose = useAction(({ id }: PaymentCard) => request(makeCardPrimary, { params: { id } }), {
    onDone: (card) => notify(namePrimary(card), { type: 'success' }),
    // After a refusal the list may be out of date.
    onSettled: () => void refresh(),
    explain: errorText,
  });

  function handleAdded(card: PaymentCard) {
    const values = { card: cardName(card) };
    notify(t(card.primary ? '{card} is added and is your primary card.' : '{card} is added.', values), {
      type: 'success',
    });
    void refresh();
  }

  function handleDeleted({ promoted }: RemovedPaymentCard) {
    if (deleting === null) return;
    const deleted = t('{card} is deleted.', { card: cardName(deleting) });
    notify(promoted ? `${deleted} ${namePrimary(promoted)}` : deleted, { type: 'success' });
    setDeleting(null);
    void refresh();
    // Automatic top-ups with the deleted card need another card.
    refreshTripCards(client);
  }

  return (
    <>
      <PageHeader title={t('Payment Methods')} intro={t('Pay with a saved card in one tap on any device.')} />
      <Stack gap="lg">
        {cards === undefined ? (
          <QueryFallback
            query={list}
            problem={t('Your cards could not be loaded')}
            loading={t('Loading your cards…')}
          >
            <Card as="div">
              <Skeleton height="3rem" lines={2} />
            </Card>
          </QueryFallback>
        ) : cards.length === 0 ? (
          !adding.isOpen && <NoCards onAdd={adding.open} />
        ) : (
          <Card title={t('Saved cards')}>
            <Stack>
              <Problem text={choose.problem} />
              <CardList cards={cards} onMakePrimary={(card) => choose.run(card)} onDelete={setDeleting} />
              <ShowMore query={list} />
              {!adding.isOpen && (
                <Button id={ADD_ID} variant="secondary" icon="plus" onClick={adding.open}>
                  {t('Add a card')}
                </Button>
              )}
            </Stack>
          </Card>
        )}
        {adding.isOpen && (
          <AddCard
            setup={adding.setup}
            hasPrimary={cards?.some(({ primary }) => primary) ?? false}
            onCancel={adding.close}
          />
        )}
      </Stack>
      {deleting && (
        <DeleteCardDialog
          card={deleting}
          successor={deleting.primary ? findSuccessor(cards ?? [], deleting) : null}
          isLast={cards?.length === 1}
          onClose={() => setDeleting(null)}
          onDeleted={handleDeleted}
        />
      )}
    </>
  );
}

function namePrimary(card: PaymentCard): string {
  return t('{card} is your primary card now.', { card: cardName(card) });
}

/** The state of adding a card. It survives a reload. */
function useAdding(onAdded: (card: PaymentCard) => void) {
  const [query] = useSearchParams();
  const navigate = useNavigate();
  const [setup] = useState(() =>
    createCardSetup(query, (card) => {
      setIsOpen(false);
      onAdded(card);
    }),
  );
  const { name } = usePaymentState(setup);
  const [isOpen, setIsOpen] = useState(() => name !== 'ready' || findDraft(DRAFT) !== null);
  // Only stores that the form was open.
  usePersistedDraft(DRAFT, () => (isOpen ? { isOpen: 'yes' } : null));
  const wasOpen = useRef(isOpen);
  const isReturn = query.has('setup_intent');
  useEffect(() => {
    // Returns the focus from the closed form to its button.
    if (wasOpen.current && !isOpen) document.getElementById(ADD_ID)?.focus();
    wasOpen.current = isOpen;
  }, [isOpen]);
  useEffect(() => {
    // Removes the secret that the bank's page added to the address.
    if (isReturn) void navigate({ search: '' }, { replace: true });
  }, [isReturn, navigate]);
  function close() {
    setup.dispatch({ type: 'give-up' });
    setIsOpen(false);
  }

  return { setup, isOpen, open: () => setIsOpen(true), close };
}

/** The server chooses the newest other valid card, which is the first in the list. */
function findSuccessor(cards: readonly PaymentCard[], deleted: PaymentCard): PaymentCard | null {
  return cards.find(({ id, expired }) => id !== deleted.id && !expired) ?? null;
}

function NoCards({ onAdd }: { onAdd: () => void }) {
  return (
    <EmptyState
      icon="card"
      title={t('No saved cards')}
      action={
        <Button id={ADD_ID} icon="plus" onClick={onAdd}>
          {t('Add a card')}
        </Button>
      }
    >
      {t(
        'Save a card to buy your next tickets in one tap. Our card provider stores its number. We never see it.',
      )}
    </EmptyState>
  );
}

type CardListProps = {
  cards: readonly PaymentCard[];
  onMakePrimary: (card: PaymentCard) => void;
  onDelete: (card: PaymentCard) => void;
};

function CardList({ cards, onMakePrimary, onDelete }: CardListProps) {
  return (
    <RowList
      label={t('Saved cards')}
      rows={cards.map((card) => ({
        id: card.id,
        title: (
          <>
            <CardName card={card} /> <CardBadges card={card} />
          </>
        ),
        details: describeCard(card),
        action: (
          <Menu
            label=""
            icon="more"
            variant="quiet"
            accessibleLabel={t('Change {card}', { card: spokenCardName(card) })}
            items={[
              ...(card.primary || card.expired
                ? []
                : [{ id: 'primary', label: t('Make primary'), onSelect: () => onMakePrimary(card) }]),
              { id: 'delete', label: t('Delete'), isDanger: true, onSelect: () => onDelete(card) },
            ]}
          />
        ),
      }))}
    />
  );
}

function CardBadges({ card }: { card: PaymentCard }) {
  return (
    <>
      {card.primary && <Badge tone="success">{t('Primary')}</Badge>}{' '}
      {card.expired && (
        <Badge tone="danger" icon="warning">
          {t('Expired')}
        </Badge>
      )}
      {card.expiresSoon && (
        <Badge tone="warning" icon="clock">
          {t('Expires soon')}
        </Badge>
      )}
    </>
  );
}

const FUNDING: Readonly<Record<string, Message>> = {
  credit: message('Credit card'),
  debit: message('Debit card'),
  prepaid: message('Prepaid card'),
};

function describeCard({ funding, expired, expDate }: PaymentCard): string {
  const kind = FUNDING[funding];
  const expiry = t(expired ? 'expired {date}' : 'expires {date}', { date: expDate });
  return `${kind === undefined ? t('Card') : t(kind)}, ${expiry}`;
}
