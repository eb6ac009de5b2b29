import { type UseQueryResult, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useParams } from 'react-router';
import { portalPages } from '#contract/paths.ts';
import { SavedAgeLine, useIsFresh } from '#web/features/saved-offline/saved-age.tsx';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { useNow } from '#web/features/site/use-now.ts';
import { CardBalance } from '#web/features/trip-card/card-balance.tsx';
import {
  AUTO_TOP_UP_PENDING,
  findBadge,
  findNextAutoTopUp,
  REFETCH_EVERY_MS,
  STATUS_BADGES,
  titleWithNumber,
} from '#web/features/trip-card/trip-card.ts';
import { t } from '#web/language/texts.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import type { TripCard } from '#web/platform/api/types.ts';
import { useReadableOffline } from '#web/platform/connection/readable-offline.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import styles from '../parts/cards.module.css';
import { OutdatedNotice } from '../parts/outdated-notice.tsx';
import { tripCardQuery } from './queries.ts';

type HistoryScreenProps = { title: string; children: (card: TripCard) => ReactNode };

/** The card of the address with its balance, and its history once it is loaded. */
export function HistoryScreen({ title, children }: HistoryScreenProps) {
  const { id = '' } = useParams();
  const now = useNow();
  const query = useQuery({
    ...tripCardQuery(id),
    refetchInterval: ({ state: { status, data } }) =>
      status === 'success' && data !== undefined && findNextAutoTopUp(data) === 'now' && REFETCH_EVERY_MS,
  });
  const { data: card } = query;
  const isFresh = useIsFresh(query);
  return (
    <div className={styles.screen}>
      <Stack gap="lg">
        <div>
          <PageHeader title={title} back={{ to: portalPages.tripCards, label: t('Trip Cards') }} />
          {card !== undefined ? (
            <LoadedCard card={card} query={query} isFresh={isFresh} now={now} />
          ) : hasErrorCode(query.error, 'not_found') ? (
            <UnknownCard />
          ) : (
            <QueryFallback
              query={query}
              problem={t('The trip card could not be loaded')}
              loading={t('Loading the trip card…')}
            >
              <Stack gap="sm">
                <Skeleton width="12rem" />
                <Skeleton width="9rem" height="3rem" />
              </Stack>
            </QueryFallback>
          )}
        </div>
        {card !== undefined && children(card)}
      </Stack>
    </div>
  );
}

type LoadedCardProps = { card: TripCard; query: UseQueryResult<TripCard>; isFresh: boolean; now: number };

function LoadedCard({ card, query, isFresh, now }: LoadedCardProps) {
  useReadableOffline();
  const { label, tone } = findBadge(card, now);
  return (
    <Stack gap="sm">
      <OutdatedNotice query={query}>
        {t('The balance could not be updated. What you see may be out of date.')}
      </OutdatedNotice>
      <Cluster>
        <span>{titleWithNumber(card)}</span>
        {label !== STATUS_BADGES.active.label && <Badge tone={tone}>{t(label)}</Badge>}
      </Cluster>
      <CardBalance card={card} now={now} />
      {isFresh && findNextAutoTopUp(card) === 'now' && (
        <output data-paint="">{t(AUTO_TOP_UP_PENDING)}</output>
      )}
      <SavedAgeLine asOf={[card.asOf]} isFresh={isFresh} now={now} />
    </Stack>
  );
}

function UnknownCard() {
  return (
    <EmptyState
      icon="trip-card"
      title={t('We could not find that trip card')}
      action={<ButtonLink to={portalPages.tripCards}>{t('Trip Cards')}</ButtonLink>}
    >
      {t('It may belong to another account, or its owner stopped sharing it with you.')}
    </EmptyState>
  );
}
