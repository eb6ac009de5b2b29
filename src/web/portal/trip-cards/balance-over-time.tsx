import { useMemo } from 'react';
import { BalanceChart } from '#web/ui/data/balance-chart.tsx';
import type { BalancePoint } from '#web/ui/data/balance-line.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { formatTimestamp, Timestamp } from '../parts/timestamp.tsx';
import { useStartOfDay } from '../parts/use-now.ts';
import type { EntriesPage } from './queries.ts';

const FEWEST_ENTRIES = 3;

/** A chart of the entries loaded so far. */
export function BalanceOverTime({ pages }: { pages: readonly EntriesPage[] }) {
  const now = useStartOfDay();
  const points = useMemo(() => toPoints(pages), [pages]);
  const [newest] = pages;
  const first = points[0];
  const last = points.at(-1);
  if (newest === undefined || first === undefined || last === undefined || points.length < FEWEST_ENTRIES) {
    return null;
  }
  const { currency, asOf } = newest;
  const until = Math.max(Date.parse(asOf), last.at);
  const instant = (at: number) => new Date(at).toISOString();
  const when = (at: number) => formatTimestamp(instant(at), now);
  const money = (amount: number) => formatMoney(amount, currency);
  const balances = points.map(({ balance }) => balance);
  const lowest = balances.reduce((low, each) => Math.min(low, each));
  const highest = balances.reduce((high, each) => Math.max(high, each));
  return (
    <BalanceChart
      title="Balance over time"
      summary={
        `The balance was ${money(first.balance)} on ${when(first.at)}, and ${money(last.balance)} on ${when(until)}; ` +
        `between them ${money(lowest)} at the lowest and ${money(highest)} at the highest.`
      }
      points={points}
      until={until}
      currency={currency}
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
