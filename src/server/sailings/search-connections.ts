import type { Connection, ConnectionsQuery, Sailing } from '#contract/sailings/schemas.ts';
import { combineSailings, findTransferPorts } from '#domain/sailings/connections.ts';
import { getExpectedTimes } from '#domain/sailings/expected-times.ts';
import { addDays } from '#domain/time/days.ts';
import { countMinutes, getDayPeriod } from '#domain/time/port-time.ts';
import { translateTexts } from '#messages/translations.ts';
import type { Context } from '../context.ts';
import { type CatalogueRecord, findZone, listSailings, type SailingRecord } from './queries.ts';
import { offerSailing, priceTrip, type SearchContext } from './search.ts';

type ConnectionSearch = {
  query: Pick<ConnectionsQuery, 'origin_port_id' | 'destination_port_id' | 'date'>;
  search: SearchContext;
};

/** A sailing of a journey, with its expected times and what was found out about it. */
type Boat<Checked> = ReturnType<typeof getExpectedTimes> & { record: SailingRecord; checked: Checked };

/**
 * The journeys with one change that depart on a day at the first port, by departure. Journeys that the party can buy, or all if it can buy
 * none.
 */
export async function searchConnections(
  context: Pick<Context, 'db'>,
  { query, search }: ConnectionSearch,
): Promise<Connection[]> {
  const { origin_port_id: from, destination_port_id: to, date } = query;
  const combine = await loadConnections(
    context,
    { ...{ from, to }, days: { from: date, to: date }, catalogue: search.catalogue },
    (record) => offerSailing(record, search),
  );
  const forSale = combine(({ availability }) => availability.fits);
  return (forSale.length > 0 ? forSale : combine(() => true)).map((journey) =>
    presentConnection(journey, search),
  );
}

/** Ids of the first and the last port, and the days of departure, both inclusive. */
type Connections = {
  from: string;
  to: string;
  days: { from: string; to: string };
  catalogue: CatalogueRecord;
};

/**
 * Reads and checks the boats of all journeys with one change.
 * @returns combines the boats that are wanted into journeys, by departure
 */
export async function loadConnections<Checked>(
  { db }: Pick<Context, 'db'>,
  { from, to, days, catalogue }: Connections,
  check: (sailing: SailingRecord) => Checked,
): Promise<(isWanted: (checked: Checked) => boolean) => [Boat<Checked>, Boat<Checked>][]> {
  const changes = findTransferPorts(catalogue, from, to);
  if (changes.length === 0) return () => [];
  const at = new Set(changes.map(({ portId }) => portId));
  const first = catalogue.routes.filter(
    (each) => each.originPortId === from && at.has(each.destinationPortId),
  );
  const onward = catalogue.routes.filter(
    (each) => at.has(each.originPortId) && each.destinationPortId === to,
  );
  const zone = findZone(catalogue, from);
  const start = getDayPeriod(days.from, zone).from;
  const listBoats = async (routes: typeof first, lastDay: string): Promise<Boat<Checked>[]> => {
    const ids = routes.map(({ id }) => id);
    const records = await listSailings(db, ids, { from: start, until: getDayPeriod(lastDay, zone).until });
    return records
      .map((record) => ({ record, checked: check(record), ...getExpectedTimes(record) }))
      .toSorted((a, b) => a.departsAt - b.departsAt);
  };
  const firstBoats = await listBoats(first, days.to);
  const onwardBoats = await listBoats(onward, addDays(days.to, 1));
  return (isWanted) =>
    changes
      .flatMap(({ portId, minutes }) =>
        combineSailings(
          firstBoats.filter(({ record, checked }) => record.destination.id === portId && isWanted(checked)),
          onwardBoats.filter(({ record, checked }) => record.origin.id === portId && isWanted(checked)),
          minutes,
        ),
      )
      .toSorted(([a], [b]) => a.departsAt - b.departsAt);
}

function presentConnection(
  [first, onward]: [Boat<Sailing>, Boat<Sailing>],
  search: SearchContext,
): Connection {
  const offers = [first.checked, onward.checked] as const;
  const tightest = offers.find(({ availability }) => !availability.fits) ?? findScarcest(offers);
  const priced = priceTrip([first.record, onward.record], search);
  const fits = tightest.availability.fits && priced.ok;
  const { origin } = onward.record;
  return {
    first: first.checked,
    onward: onward.checked,
    transfer_port: { id: origin.id, name: translateTexts(origin, search.language).name },
    transfer_minutes: countMinutes(first.arrivesAt, onward.departsAt),
    duration_minutes: countMinutes(first.departsAt, onward.arrivesAt),
    availability: { ...tightest.availability, fits },
    from_amount: fits ? priced.total : null,
    currency: search.catalogue.feed.currency,
  };
}

function findScarcest([first, onward]: readonly [Sailing, Sailing]): Sailing {
  const left = ({ availability }: Sailing) => availability.left ?? Number.POSITIVE_INFINITY;
  return left(onward) < left(first) ? onward : first;
}
