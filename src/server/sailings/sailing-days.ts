import type { SailingDay, SailingDaysQuery } from '#contract/sailings/schemas.ts';
import { addDays, countDays } from '#domain/time/days.ts';
import { getDayPeriod, getLocalDay } from '#domain/time/port-time.ts';
import type { Context } from '../context.ts';
import { findZone, listSailings, type SailingRecord } from './queries.ts';
import { checkSailing, priceTrip, type SearchContext } from './search.ts';
import { loadConnections } from './search-connections.ts';

/** `amount`: null if the party cannot buy it. */
type Journey = { departsAt: Date; amount: number | null; state: SailingDay['state'] };

type DaysSearch = {
  query: Pick<SailingDaysQuery, 'origin_port_id' | 'destination_port_id' | 'from' | 'to'>;
  search: SearchContext;
};

/**
 * The lowest price of the party on each day of a period, both days inclusive, or why it can buy nothing. Days are those
 * of departure at the first port.
 */
export async function listSailingDays(
  context: Pick<Context, 'db'>,
  { query, search }: DaysSearch,
): Promise<SailingDay[]> {
  const { catalogue } = search;
  const zone = findZone(catalogue, query.origin_port_id);
  const byDay = Map.groupBy(await listJourneys(context, { query, search }), ({ departsAt }) =>
    getLocalDay(departsAt.getTime(), zone),
  );
  return Array.from({ length: countDays(query.from, query.to) + 1 }, (_, index) => {
    const day = addDays(query.from, index);
    const journeys = byDay.get(day) ?? [];
    const amounts = journeys.flatMap(({ amount }) => amount ?? []);
    const isOpen = day <= catalogue.feed.windowUntil;
    return {
      day,
      state: isOpen ? summarizeStates(journeys) : 'unavailable',
      from_amount: amounts.length > 0 ? Math.min(...amounts) : null,
      currency: catalogue.feed.currency,
    };
  });
}

/** Without a direct boat, the journeys with one change. */
async function listJourneys(context: Pick<Context, 'db'>, { query, search }: DaysSearch): Promise<Journey[]> {
  const { origin_port_id: from, destination_port_id: to } = query;
  const { catalogue } = search;
  const direct = catalogue.routes.filter(
    ({ originPortId, destinationPortId }) => originPortId === from && destinationPortId === to,
  );
  const check = (record: SailingRecord) => checkSailing(record, search);
  if (direct.length > 0) {
    const zone = findZone(catalogue, from);
    const period = { from: getDayPeriod(query.from, zone).from, until: getDayPeriod(query.to, zone).until };
    const ids = direct.map(({ id }) => id);
    return (await listSailings(context.db, ids, period)).map((record) => {
      const checked = check(record);
      const { priced, fits } = checked;
      const amount = fits && priced.ok ? priced.total : null;
      return { departsAt: record.departsAt, amount, state: findState(checked) };
    });
  }
  const combine = await loadConnections(context, { from, to, days: query, catalogue }, check);
  const forSale = combine(({ fits }) => fits).map(([first, onward]): Journey => {
    const priced = priceTrip([first.record, onward.record], search);
    const { departsAt } = first.record;
    return priced.ok
      ? { departsAt, amount: priced.total, state: 'on_sale' }
      : { departsAt, amount: null, state: 'unavailable' };
  });
  const others = combine(() => true).map(([first, onward]): Journey => {
    const state = findState(first.checked.fits ? onward.checked : first.checked);
    return { departsAt: first.record.departsAt, amount: null, state: state === 'on_sale' ? 'full' : state };
  });
  return [...forSale, ...others];
}

function findState({ state, fits, reason }: ReturnType<typeof checkSailing>): SailingDay['state'] {
  if (fits) return 'on_sale';
  if (state === 'canceled') return 'canceled';
  const isTaken = ['sold_out', 'too_little_left', 'online_share_sold'].includes(reason.code);
  return isTaken ? 'full' : 'unavailable';
}

/** The first that any journey of the day has: boats that have left or do not take the party matter less than full ones. */
const STATES = ['on_sale', 'full', 'unavailable', 'canceled'] as const;

function summarizeStates(journeys: readonly Journey[]): SailingDay['state'] {
  return STATES.find((state) => journeys.some((journey) => journey.state === state)) ?? 'none';
}
