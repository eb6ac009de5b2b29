/** What identifies a voyage: the line, the service day, its calls and the id that the feed gave it. */
export type VoyageIdentity = {
  gtfsRouteId: string;
  serviceDate: string;
  /** `trip_id`, with the start time for trips that the feed defines by frequency. */
  gtfsTripKey: string;
  /** In order, with ISO instants. Arrival is null at the first stop, departure at the last. */
  stops: readonly { port_id: string; arrives_at: string | null; departs_at: string | null }[];
};

type Voyage = {
  index: number;
  tripKey: string;
  line: string;
  ports: string;
  departsAt: number;
  stops: VoyageIdentity['stops'];
};

/** A possible match; the lowest cost wins. */
type Candidate = { before: Voyage; after: Voyage; cost: number };

/** The longest difference of departures within which a voyage with another trip id can be the same boat. */
const NEAR_MS = 30 * 60_000;
/** A departure and an arrival: passengers between them notice nothing. */
const MIN_COMMON_CALLS = 2;
/** Limits the work if a feed lists many voyages at the same time. */
const MAX_CANDIDATES = 8;

/**
 * Matches the voyages of a new timetable with the stored ones, one to one, within a line and service day. What a voyage
 * is counts more than its trip id, because feeds reuse, swap and renumber ids:
 *
 * 1. equal ports and first departure; of several such voyages the one with the same trip id
 * 2. the most departures and arrivals in common, at least two: the voyage gained or lost stops
 * 3. the same trip id, unless most voyages of the first rule have another id than before
 * 4. equal ports, and the nearest first departure within 30 minutes
 *
 * @returns the index of the stored voyage by the index of the wanted one
 */
export function matchVoyages(
  stored: readonly VoyageIdentity[],
  imported: readonly VoyageIdentity[],
): Map<number, number> {
  const matches = new Map<number, number>();
  let before = stored.map(toVoyage);
  let after = imported.map(toVoyage);

  function accept(pairs: readonly (readonly [Voyage, Voyage])[]): void {
    for (const [earlier, later] of pairs) matches.set(later.index, earlier.index);
    const matched = new Set(matches.values());
    before = before.filter(({ index }) => !matched.has(index));
    after = after.filter(({ index }) => !matches.has(index));
  }

  accept(pairByKey(before, after, (voyage) => `${keyOfTime(voyage)} ${voyage.tripKey}`));
  const withSameId = matches.size;
  accept(pairByKey(before, after, keyOfTime));
  const areIdsStable = withSameId * 2 >= matches.size;
  accept(pairByCost(findCommonCalls(before, after)));
  if (areIdsStable) {
    accept(pairByKey(before, after, ({ line, tripKey }) => `${line} ${tripKey}`));
  }
  accept(pairByCost(findNear(before, after)));
  return matches;
}

function toVoyage({ gtfsRouteId, serviceDate, gtfsTripKey, stops }: VoyageIdentity, index: number): Voyage {
  return {
    index,
    tripKey: gtfsTripKey,
    line: `${serviceDate} ${gtfsRouteId}`,
    ports: stops.map(({ port_id }) => port_id).join(' '),
    departsAt: Date.parse(stops[0]?.departs_at ?? ''),
    stops,
  };
}

/** Each departure and arrival with its line and port. */
function listCallKeys({ line, stops }: Voyage): string[] {
  return stops.flatMap(({ port_id, arrives_at, departs_at }) => [
    ...(arrives_at === null ? [] : [`${line} ${port_id} arrives ${Date.parse(arrives_at)}`]),
    ...(departs_at === null ? [] : [`${line} ${port_id} departs ${Date.parse(departs_at)}`]),
  ]);
}

function keyOfTime({ line, ports, departsAt }: Voyage): string {
  return `${line} ${departsAt} ${ports}`;
}

/** Pairs voyages with equal keys in their order. */
function pairByKey(
  before: readonly Voyage[],
  after: readonly Voyage[],
  getKey: (voyage: Voyage) => string,
): [Voyage, Voyage][] {
  const left = Map.groupBy(before.toReversed(), getKey);
  return after.flatMap((voyage) => {
    const earlier = left.get(getKey(voyage))?.pop();
    return earlier ? [[earlier, voyage] as [Voyage, Voyage]] : [];
  });
}

/** Pairs the candidates of lowest cost first. */
function pairByCost(candidates: readonly Candidate[]): [Voyage, Voyage][] {
  const taken = new Set<Voyage>();
  return candidates
    .toSorted((a, b) => a.cost - b.cost)
    .flatMap(({ before, after }) => {
      if (taken.has(before) || taken.has(after)) return [];
      taken.add(before).add(after);
      return [[before, after] as [Voyage, Voyage]];
    });
}

function findCommonCalls(before: readonly Voyage[], after: readonly Voyage[]): Candidate[] {
  const byCall = new Map<string, Voyage[]>();
  for (const voyage of before) {
    for (const call of listCallKeys(voyage)) {
      const voyages = byCall.get(call);
      if (!voyages) byCall.set(call, [voyage]);
      else if (voyages.length < MAX_CANDIDATES) voyages.push(voyage);
    }
  }
  return after.flatMap((voyage) => {
    const counts = new Map<Voyage, number>();
    for (const call of listCallKeys(voyage)) {
      for (const earlier of byCall.get(call) ?? []) counts.set(earlier, (counts.get(earlier) ?? 0) + 1);
    }
    return [...counts]
      .filter(([, count]) => count >= MIN_COMMON_CALLS)
      .map(([earlier, count]) => {
        const isSameId = earlier.tripKey === voyage.tripKey;
        return { before: earlier, after: voyage, cost: isSameId ? -count - 0.5 : -count };
      });
  });
}

function findNear(before: readonly Voyage[], after: readonly Voyage[]): Candidate[] {
  const getKey = ({ line, ports }: Voyage) => `${line} ${ports}`;
  const groups = Map.groupBy(
    before.toSorted((a, b) => a.departsAt - b.departsAt),
    getKey,
  );
  return after.flatMap((voyage) => {
    const group = groups.get(getKey(voyage)) ?? [];
    const next = findFirst(group, voyage.departsAt);
    return group
      .slice(Math.max(0, next - MAX_CANDIDATES), next + MAX_CANDIDATES)
      .map((earlier) => ({
        before: earlier,
        after: voyage,
        cost: Math.abs(earlier.departsAt - voyage.departsAt),
      }))
      .filter(({ cost }) => cost <= NEAR_MS);
  });
}

/** @returns the index of the first of the sorted voyages that departs at this time or later */
function findFirst(sorted: readonly Voyage[], time: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle]?.departsAt ?? 0) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}
