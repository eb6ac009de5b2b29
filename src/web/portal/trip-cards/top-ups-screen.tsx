import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { portalPages } from '#contract/paths.ts';
import { message } from '#messages/translate.ts';
import { formatTrips } from '#sentences/card-amounts.ts';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { formatWhenCapitalized } from '#web/features/site/timestamp.tsx';
import {
  findNextAutoTopUp,
  isOwn,
  may,
  REFETCH_EVERY_MS,
  TOP_UP_BADGES,
} from '#web/features/trip-card/trip-card.ts';
import { t } from '#web/language/texts.ts';
import type { MoneyCard, PassCard, TopUp, TripCard } from '#web/platform/api/types.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Grid } from '#web/ui/layout/stack.tsx';
import styles from '../parts/cards.module.css';
import { PassConditions } from '../passes/pass-conditions.tsx';
import { PassFlow } from '../passes/pass-flow.tsx';
import { passesQuery } from '../passes/queries.ts';
import { HistoryList, HistoryRow } from './history-list.tsx';
import { HistoryScreen } from './history-screen.tsx';
import { type TopUpsPage, topUpsQuery } from './queries.ts';
import { AutoTopUpCard } from './top-up/auto-top-up-card.tsx';
import { TopUpFlow } from './top-up/top-up-flow.tsx';
import { createTopUpPayment } from './top-up/top-up-payment.ts';

const REFETCH_PENDING_EVERY_MS = 5000;

const TEXTS = {
  money: {
    heading: message('Earlier top-ups'),
    list: message('Top-ups, newest first'),
    empty: message('No top-ups yet.'),
    loading: message('Loading the top-ups…'),
    problem: message('The top-ups could not be loaded'),
    unknown: message('A top-up is still being confirmed'),
    wait: message('Please don’t pay it again. The money will be on the card once your bank confirms.'),
    reversed: message('The bank reversed this payment, so the money was removed from the card.'),
  },
  trips: {
    heading: message('Purchases'),
    list: message('Purchases, newest first'),
    empty: message('No purchases yet.'),
    loading: message('Loading the purchases…'),
    problem: message('The purchases could not be loaded'),
    unknown: message('A purchase is still being confirmed'),
    wait: message('Please don’t pay it again. The trips will be on the pass once your bank confirms.'),
    reversed: message('The bank reversed this payment, so the trips were removed from the pass.'),
  },
};

type Texts = (typeof TEXTS)[keyof typeof TEXTS];

export function TopUpsScreen() {
  return (
    <HistoryScreen title={t('Trip Card Top-ups')}>
      {(card) => (
        <>
          {card.unit === 'trips' ? (
            <PassArea key={card.id} card={card} />
          ) : (
            <TopUpArea key={card.id} card={card} />
          )}
          {may(card, 'view') && <TopUps card={card} />}
        </>
      )}
    </HistoryScreen>
  );
}

function TopUpArea({ card }: { card: MoneyCard }) {
  const client = useQueryClient();
  const [cardExpectedSince, setCardExpectedSince] = useState<number | null>(null);
  const [payment] = useState(() =>
    createTopUpPayment(card.id, client, ({ saveCard }) => {
      if (saveCard) setCardExpectedSince(Date.now());
    }),
  );
  if (!may(card, 'top-up')) return null;

  return (
    <Grid gap="lg" className={styles.alignStart}>
      {card.status === 'active' ? (
        <TopUpFlow card={card} payment={payment} />
      ) : (
        <Notice
          type="warning"
          action={
            <ButtonLink variant="secondary" to={portalPages.tripCards}>
              {t('Trip Cards')}
            </ButtonLink>
          }
        >
          {t(
            card.status === 'frozen'
              ? 'This card is frozen. Unfreeze it to top it up.'
              : 'This card was reported lost. Top up the one that replaced it.',
          )}
        </Notice>
      )}
      {isOwn(card) && card.status !== 'lost' && (
        <AutoTopUpCard card={card} cardExpectedSince={cardExpectedSince} onTopUpNow={payment.begin} />
      )}
    </Grid>
  );
}

/** What the pass pays for, and its renewal if it is still on sale. */
function PassArea({ card }: { card: PassCard }) {
  const { data: passes } = useQuery(passesQuery);
  const pass = passes?.find(({ code }) => code === card.pass.code);
  const canRenew = isOwn(card) && card.status === 'active';
  return (
    <>
      <Card title={t('What it pays for')} tone="sunken">
        <PassConditions pass={card.pass} />
      </Card>
      {canRenew && pass !== undefined && <PassFlow passes={[pass]} title={t('Buy it again')} />}
    </>
  );
}

function TopUps({ card }: { card: TripCard }) {
  const isToppingUp = findNextAutoTopUp(card) === 'now';
  const query = useInfiniteQuery({
    ...topUpsQuery(card.id),
    refetchInterval: ({ state }) => {
      if (isToppingUp && state.status === 'success') return REFETCH_EVERY_MS;
      return state.data?.pages[0]?.topUps.some(({ status }) => status === 'processing')
        ? REFETCH_PENDING_EVERY_MS
        : false;
    },
  });
  useFreshTopUps(card);
  const texts = TEXTS[card.unit ?? 'money'];
  const { data } = query;
  if (data === undefined) {
    return (
      <QueryFallback query={query} problem={t(texts.problem)} loading={t(texts.loading)}>
        <Skeleton height="3.5rem" lines={3} />
      </QueryFallback>
    );
  }
  const count = data.pages.reduce((sum, { topUps }) => sum + topUps.length, 0);
  const isUnknown = data.pages[0]?.topUps.some(({ status }) => status === 'processing') ?? false;
  return (
    <section aria-labelledby="top-ups">
      <h2 id="top-ups">{t(texts.heading)}</h2>
      {isUnknown && (
        <Notice type="warning" role="status" title={t(texts.unknown)}>
          {t(texts.wait)}
        </Notice>
      )}
      {count === 0 ? (
        <p>{t(texts.empty)}</p>
      ) : (
        <HistoryList
          label={t(texts.list)}
          headers={{
            title: t('What|an entry of a statement'),
            when: t('When'),
            details: t('Details'),
            amount: t('Amount'),
            note: t('State|of a payment'),
          }}
          pages={data.pages}
          Rows={TopUpRows}
          count={count}
          query={query}
        />
      )}
    </section>
  );
}

/** Reloads the list when the card changes, because a top-up may be the reason. */
function useFreshTopUps({ id, version }: TripCard): void {
  const client = useQueryClient();
  const loadedVersion = useRef(version);
  useEffect(() => {
    if (loadedVersion.current === version) return;
    loadedVersion.current = version;
    void client.invalidateQueries({ queryKey: topUpsQuery(id).queryKey });
  }, [client, id, version]);
}

function TopUpRows({ page: { topUps }, now }: { page: TopUpsPage; now: number }) {
  return topUps.map((topUp) => {
    const isAutomatic = topUp.trigger === 'auto';
    // An automatic top-up needs no action by the customer.
    const isUnderWay = isAutomatic && topUp.status === 'created';
    const { label, tone } = TOP_UP_BADGES[isUnderWay ? 'processing' : topUp.status];
    return (
      <HistoryRow
        key={topUp.id}
        title={
          topUp.trips !== undefined
            ? formatTrips(t, topUp.trips)
            : t(isAutomatic ? 'Automatic top-up' : 'Top-up')
        }
        amount={formatMoney(topUp.amount, topUp.currency)}
        when={formatWhenCapitalized(topUp.insertedAt, now)}
        details={describeTopUp(topUp, TEXTS[topUp.trips === undefined ? 'money' : 'trips'])}
        note={<Badge tone={tone}>{t(label)}</Badge>}
      />
    );
  });
}

function describeTopUp({ receiptNumber, failure, status }: TopUp, { reversed }: Texts): string {
  const details = [
    receiptNumber !== null && t('receipt {number}', { number: receiptNumber }),
    status === 'disputed' ? t(reversed) : status !== 'succeeded' && failure !== null && failure.message,
  ];
  return details.filter(Boolean).join('. ');
}
