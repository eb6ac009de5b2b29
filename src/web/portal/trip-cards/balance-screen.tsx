import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import { fillPath, portalPages } from '#contract/paths.ts';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { formatTimestamp, Timestamp } from '#web/features/site/timestamp.tsx';
import { useStartOfDay } from '#web/features/site/use-now.ts';
import { formatOnCard, formatShortOnCard } from '#web/features/trip-card/card-amount.ts';
import { ENTRY_LABELS, may } from '#web/features/trip-card/trip-card.ts';
import { t } from '#web/language/texts.ts';
import type { TripCard } from '#web/platform/api/types.ts';
import { BalanceChart } from '#web/ui/data/balance-chart.tsx';
import type { BalancePoint } from '#web/ui/data/balance-line.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { HistoryList, HistoryRow } from './history-list.tsx';
import { HistoryScreen } from './history-screen.tsx';
import { type EntriesPage, entriesQuery } from './queries.ts';

export function BalanceScreen() {
  return (
    <HistoryScreen title={t('Trip Card Balance')}>
      {(card) => (may(card, 'view') ? <Entries card={card} /> : <NoAccess />)}
    </HistoryScreen>
  );
}

function Entries({ card }: { card: TripCard }) {
  const query = useInfiniteQuery(entriesQuery(card.id));
  const { data } = query;
  useFreshEntries(card, data?.pages[0]);
  if (data === undefined) {
    return (
      <QueryFallback
        query={query}
        problem={t('The transactions could not be loaded')}
        loading={t('Loading the transactions…')}
      >
        <Skeleton height="3.5rem" lines={4} />
      </QueryFallback>
    );
  }
  const count = data.pages.reduce((sum, { entries }) => sum + entries.length, 0);
  if (count === 0) return <NoEntries card={card} />;
  return (
    <>
      <BalanceOverTime pages={data.pages} />
      <section aria-labelledby="entries">
        <h2 id="entries">{t('Transactions')}</h2>
        <HistoryList
          label={t('Transactions, newest first')}
          headers={{
            title: t('What|an entry of a statement'),
            when: t('When'),
            details: t('Where|something was bought'),
            amount: t('Amount'),
            note: t('Balance'),
          }}
          pages={data.pages}
          Rows={EntryRows}
          count={count}
          query={query}
        />
      </section>
    </>
  );
}

const FEWEST_ENTRIES = 3;

/** A chart of the entries loaded so far. */
function BalanceOverTime({ pages }: { pages: readonly EntriesPage[] }) {
  const now = useStartOfDay();
  const points = useMemo(() => toPoints(pages), [pages]);
  const [newest] = pages;
  const first = points[0];
  const last = points.at(-1);
  if (newest === undefined || first === undefined || last === undefined || points.length < FEWEST_ENTRIES) {
    return null;
  }
  const { asOf } = newest;
  const until = Math.max(Date.parse(asOf), last.at);
  const instant = (at: number) => new Date(at).toISOString();
  const when = (at: number) => formatTimestamp(instant(at), now);
  const format = (amount: number) => formatOnCard(amount, newest);
  const balances = points.map(({ balance }) => balance);
  const lowest = balances.reduce((low, each) => Math.min(low, each));
  const highest = balances.reduce((high, each) => Math.max(high, each));
  return (
    <BalanceChart
      title={t('Balance over time')}
      summary={`${t('The balance was {first} on {start}, and {last} on {end};', {
        first: format(first.balance),
        start: when(first.at),
        last: format(last.balance),
        end: when(until),
      })} ${t('between them {lowest} at the lowest and {highest} at the highest.', {
        lowest: format(lowest),
        highest: format(highest),
      })}`}
      points={points}
      until={until}
      formatAmount={(amount) => formatShortOnCard(amount, newest)}
      startText={<Timestamp instant={instant(first.at)} now={now} />}
      endText={<Timestamp instant={instant(until)} now={now} />}
    />
  );
}

/** Oldest first. A gate without a connection reports late: its entry is drawn at the time of the one before. */
function toPoints(pages: readonly EntriesPage[]): BalancePoint[] {
  const entries = pages.flatMap((page) => page.entries).reverse();
  let at = Number.NEGATIVE_INFINITY;
  return entries.map(({ occurredAt, balanceAfter, kind }) => {
    at = Math.max(at, Date.parse(occurredAt));
    return { at, balance: balanceAfter, isTopUp: kind === 'top_up' };
  });
}

function EntryRows({ page, now }: { page: EntriesPage; now: number }) {
  return page.entries.map((entry) => (
    <HistoryRow
      key={entry.id}
      title={entry.description || t(ENTRY_LABELS[entry.kind])}
      when={<Timestamp instant={entry.occurredAt} now={now} />}
      details={entry.place}
      amount={signed(entry.amount, page)}
      note={t('Balance {amount}', { amount: formatOnCard(entry.balanceAfter, page) })}
      noteInTable={formatOnCard(entry.balanceAfter, page)}
    />
  ));
}

/** With a sign, so that income and expense look different. */
function signed(amount: number, page: EntriesPage): string {
  return `${amount < 0 ? '' : '+'}${formatOnCard(amount, page)}`;
}

/** Reloads the entries when the card has a newer version. */
function useFreshEntries(card: TripCard, newest: EntriesPage | undefined): void {
  const client = useQueryClient();
  const isOld = newest !== undefined && newest.version < card.version;
  useEffect(() => {
    if (isOld) void client.invalidateQueries({ queryKey: entriesQuery(card.id).queryKey });
  }, [isOld, client, card.id]);
}

function NoEntries({ card }: { card: TripCard }) {
  const canTopUp = card.status === 'active' && may(card, 'top-up');
  return (
    <EmptyState
      icon="trip-card"
      title={t('No transactions yet')}
      action={
        canTopUp && (
          <ButtonLink to={fillPath(portalPages.tripCardTopUps, { id: card.id })}>{t('Top up')}</ButtonLink>
        )
      }
    >
      {t('Your top-ups and payments will appear here.')}
    </EmptyState>
  );
}

function NoAccess() {
  return <p>{t('This card’s owner has not shared its history with you.')}</p>;
}
