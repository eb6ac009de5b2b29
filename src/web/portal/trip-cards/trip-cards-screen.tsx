import { useInfiniteQuery } from '@tanstack/react-query';
import { Suspense } from 'react';
import { portalPages } from '#contract/paths.ts';
import { InstallInvitation } from '#web/features/install/install-invitation.tsx';
import { SavedAgeLine, useIsFresh } from '#web/features/saved-offline/saved-age.tsx';
import { LoadProblem } from '#web/features/site/load-problem.tsx';
import { useNow } from '#web/features/site/use-now.ts';
import { NEXT, useGateView } from '#web/features/ticket/gate/use-gate-view.ts';
import { assignColors } from '#web/features/trip-card/card-colors.ts';
import {
  canShowCode,
  findNextAutoTopUp,
  may,
  REFETCH_EVERY_MS,
  transferTargets,
} from '#web/features/trip-card/trip-card.ts';
import { t } from '#web/language/texts.ts';
import type { TripCard } from '#web/platform/api/types.ts';
import { useReadableOffline } from '#web/platform/connection/readable-offline.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Button, ButtonLink } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { useLazyDialog } from '#web/ui/popup/use-lazy-dialog.ts';
import styles from '../parts/cards.module.css';
import { CardsSkeleton } from '../parts/cards-skeleton.tsx';
import { OutdatedNotice } from '../parts/outdated-notice.tsx';
import { ShowMore } from '../parts/show-more.tsx';
import { type Prefetch, usePrefetchForOffline } from '../prefetch-for-offline.ts';
import type { OpenDialog } from './card-dialogs.tsx';
import { LostCards } from './lost-cards.tsx';
import { entriesQuery, offlineCodeQuery, topUpsQuery, tripCardQuery, tripCardsQuery } from './queries.ts';
import { TripCardView, useFocusOnCard } from './trip-card-view.tsx';

const CardDialogs = lazyComponent(() => import('./card-dialogs.tsx').then((module) => module.CardDialogs));
const GateCode = lazyComponent(() => import('./gate-code.tsx').then((module) => module.GateCode));

const PREFETCHED_CARDS = 3;

export function TripCardsScreen() {
  const query = useInfiniteQuery({
    ...tripCardsQuery,
    refetchInterval: ({ state }) =>
      state.status === 'success' &&
      state.data?.pages.some(({ data }) => data.some((card) => findNextAutoTopUp(card) === 'now')) &&
      REFETCH_EVERY_MS,
  });
  const { data } = query;
  const isFresh = useIsFresh(query);
  const cards = data?.pages.flatMap((page) => page.data);
  return (
    <div className={styles.screen}>
      <PageHeader title={t('Trip Cards')} intro={t('Prepaid cards for the gate and for tickets online.')} />
      {cards !== undefined ? (
        <Stack gap="lg">
          <OutdatedNotice query={query}>
            {t('Your trip cards could not be updated. What you see may be out of date.')}
          </OutdatedNotice>
          {cards.length > 0 && (
            <SavedAgeLine asOf={cards.map(({ asOf }) => asOf)} isFresh={isFresh} now={serverNow()} />
          )}
          <TripCards cards={cards} hasMore={query.hasNextPage} isFresh={isFresh} />
          <ShowMore query={query} label={t('Show more cards')} />
        </Stack>
      ) : query.isError ? (
        <LoadProblem title={t('Your trip cards could not be loaded')} query={query} />
      ) : (
        <CardsSkeleton label={t('Loading your trip cards…')} />
      )}
    </div>
  );
}

type TripCardsProps = { cards: readonly TripCard[]; hasMore: boolean; isFresh: boolean };

function TripCards({ cards, hasMore, isFresh }: TripCardsProps) {
  useReadableOffline();
  const now = useNow();
  const live = cards.filter(({ status }) => status !== 'lost');
  const colors = assignColors(live);
  const focusOn = useFocusOnCard(live);
  const dialog = useLazyDialog<OpenDialog>();
  const { shown, close } = useGateView();
  const withCode = cards.filter(canShowCode);
  // The app's shortcut to a code names no card.
  const atGate = shown === NEXT ? withCode[0] : withCode.find(({ id }) => id === shown);
  // Saved cards may be out of date.
  usePrefetchedCards(isFresh ? cards : []);
  return (
    <>
      {live.length === 0 && !hasMore ? (
        <EmptyState
          icon="trip-card"
          title={t('No trip cards yet')}
          action={<AddButtons onOpen={dialog.open} />}
        >
          {t(
            'Get a card and use it right away, or add a plastic one. Cards shared with you appear here too.',
          )}
        </EmptyState>
      ) : (
        <>
          <ul className={styles.cards} aria-label={t('Trip cards')}>
            {live.map((card) => (
              <li key={card.id}>
                <TripCardView
                  card={card}
                  color={colors.get(card.id)}
                  isFresh={isFresh}
                  now={now}
                  canTransfer={transferTargets(card, cards).length > 0}
                  onOpen={(kind) => dialog.open({ kind, cardId: card.id })}
                />
              </li>
            ))}
          </ul>
          <Card title={t('Add another trip card')} tone="sunken">
            <AddButtons onOpen={dialog.open} />
          </Card>
        </>
      )}
      {live.length < cards.length && <LostCards cards={cards} />}
      {live.length > 0 && <InstallInvitation />}
      <Suspense>{atGate !== undefined && <GateCode card={atGate} now={now} onClose={close} />}</Suspense>
      <Suspense>
        {dialog.content !== null && (
          <CardDialogs dialog={dialog.content} cards={cards} onClose={dialog.close} onNewCard={focusOn} />
        )}
      </Suspense>
    </>
  );
}

/** The code and history of the first cards must open at the terminal without a connection. */
function usePrefetchedCards(cards: readonly TripCard[]): void {
  const first = cards.filter(({ status }) => status === 'active').slice(0, PREFETCHED_CARDS);
  const prefetches = first.flatMap((card): Prefetch[] => [
    (client, options) => client.prefetchQuery({ ...tripCardQuery(card.id), ...options }),
    async (client, options) => {
      // It may have been frozen since it was listed.
      const current = client.getQueryData(tripCardQuery(card.id).queryKey) ?? card;
      if (canShowCode(current)) await client.prefetchQuery({ ...offlineCodeQuery(card.id), ...options });
    },
    async (client, options) => {
      if (!may(card, 'view')) return;
      await client.prefetchInfiniteQuery({ ...entriesQuery(card.id), ...options });
      await client.prefetchInfiniteQuery({ ...topUpsQuery(card.id), ...options });
    },
  ]);
  usePrefetchForOffline(first.map(({ id }) => id).join(' '), prefetches);
}

function AddButtons({ onOpen }: { onOpen: (dialog: OpenDialog) => void }) {
  return (
    <Cluster>
      <Button icon="plus" needsConnection onClick={() => onOpen({ kind: 'request' })}>
        {t('Get a new card')}
      </Button>
      <Button variant="secondary" needsConnection onClick={() => onOpen({ kind: 'add-plastic' })}>
        {t('Add a plastic card')}
      </Button>
      <ButtonLink variant="secondary" to={portalPages.passes}>
        {t('Buy a pass')}
      </ButtonLink>
    </Cluster>
  );
}
