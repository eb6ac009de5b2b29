import type { Connection, ConnectionsQuery, Sailing } from '#contract/sailings/schemas.ts';
import { combineSailings, findTransferPorts, type TransferPort } from '#domain/sailings/connections.ts';
import { addDays } from '#domain/time/days.ts';
import { countMinutes, getDayPeriod } from '#domain/time/port-time.ts';
import type { Context } from '../context.ts';
import { getExpectedTimes } from './presenter.ts';
import { findZone, listSailings, type SailingRecord } from './queries.ts';
import { offerSailing, priceTrip, type SearchContext } from './search.ts';

type ConnectionSearch = {
  query: Pick<ConnectionsQuery, 'origin_port_id' | 'destination_port_id' | 'date'>;
  search: SearchContext;
};

/** A sailing of a journey, with its offer and its expected times. */
type Boat = ReturnType<typeof getExpectedTimes> & { record: SailingRecord; offer: Sailing };

/**
 * The journeys with one change that depart on a day at the first port, by departure. Journeys that the party can buy, or all if it can buy
 * none.
 */
export async function searchConnections(
  { db }: Pick<Context, 'db'>,
  { query, search }: ConnectionSearch,
): Promise<Connection[]> {
  const { origin_port_id: from, destination_port_id: to, date } = query;
  const { catalogue } = search;
  const changes = findTransferPorts(catalogue, from, to);
  if (changes.length === 0) return [];
  const at = new Set(changes.map(({ portId }) => portId));
  const first = catalogue.routes.filter(
    (each) => each.originPortId === from && at.has(each.destinationPortId),
  );
  const onward = catalogue.routes.filter(
    (each) => at.has(each.originPortId) && each.destinationPortId === to,
  );
  const zone = findZone(catalogue, from);
  const day = getDayPeriod(date, zone);
  const listBoats = async (routes: typeof first, until: number): Promise<Boat[]> => {
    const records = await listSailings(
      db,
      routes.map(({ id }) => id),
      { from: day.from, until },
    );
    return records
      .map((record) => ({
        record,
        offer: offerSailing(record, search),
        ...getExpectedTimes(record),
      }))
      .toSorted((a, b) => a.departsAt - b.departsAt);
  };
  const firstBoats = await listBoats(first, day.until);
  const onwardBoats = await listBoats(onward, getDayPeriod(addDays(date, 1), zone).until);
  const combine = (isWanted: (boat: Boat) => boolean) =>
    changes.flatMap((change) => combineAt(change, firstBoats.filter(isWanted), onwardBoats.filter(isWanted)));
  const forSale = combine(({ offer }) => offer.availability.fits);
  return (forSale.length > 0 ? forSale : combine(() => true))
    .toSorted(([a], [b]) => a.departsAt - b.departsAt)
    .map((journey) => presentConnection(journey, search));
}

function combineAt({ portId, minutes }: TransferPort, first: readonly Boat[], onward: readonly Boat[]) {
  return combineSailings(
    first.filter(({ record }) => record.destination.id === portId),
    onward.filter(({ record }) => record.origin.id === portId),
    minutes,
  );
}

function presentConnection([first, onward]: [Boat, Boat], search: SearchContext): Connection {
  const offers = [first.offer, onward.offer] as const;
  const tightest = offers.find(({ availability }) => !availability.fits) ?? findScarcest(offers);
  const priced = priceTrip([first.record, onward.record], search);
  const fits = tightest.availability.fits && priced.ok;
  return {
    first: first.offer,
    onward: onward.offer,
    transfer_port: { id: onward.record.origin.id, name: onward.record.origin.name },
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
