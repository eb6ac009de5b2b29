import { newId } from '#server/core/ids.ts';
import type { sailings, VoyageStop, voyages } from '#server/database/schema/timetable.ts';
import { matchVoyages } from './match-voyages.ts';

type VoyageRow = typeof voyages.$inferSelect;
type SailingRow = typeof sailings.$inferSelect;

/** A voyage as stored, with its sailings that the import may change. */
export type StoredVoyage = {
  voyage: VoyageRow;
  sailings: readonly SailingRow[];
  /** Whether exceptions decide when sales end on its service day, so that the timetable does not. */
  hasSalesException: boolean;
};

/** A voyage of the timetable to import. A route has at most one sailing of a voyage. */
export type ImportedVoyage = {
  voyage: Omit<VoyageRow, 'id'>;
  sailings: readonly Pick<
    SailingRow,
    | 'routeId'
    | 'firstStop'
    | 'lastStop'
    | 'serviceDate'
    | 'departsAt'
    | 'arrivesAt'
    | 'salesCloseAt'
    | 'updatedAt'
  >[];
};

/** What an import changes. Rows are complete; ids of new rows are new. */
export type VoyageChanges = {
  /** New or changed. */
  voyages: VoyageRow[];
  addedSailings: (typeof sailings.$inferInsert)[];
  changedSailings: (typeof sailings.$inferInsert)[];
  /** Ids of voyages whose list of ports has changed, so that their sailings cover other stretches. */
  rerouted: string[];
  /** Ids of sailings whose passengers must be notified. */
  retimed: string[];
  /** Ids of sailings that an earlier import had withdrawn. */
  restored: string[];
  vanished: string[];
  unchanged: number;
};

/**
 * Compares the stored voyages of some service days with those of the timetable. What has departed stays as it is.
 * Writes nothing.
 */
export function compareVoyages(
  stored: readonly StoredVoyage[],
  imported: readonly ImportedVoyage[],
  now: Date,
): VoyageChanges {
  const changes: VoyageChanges = {
    ...{ voyages: [], addedSailings: [], changedSailings: [], rerouted: [] },
    ...{ retimed: [], restored: [], vanished: [], unchanged: 0 },
  };
  const left = new Set(stored);
  const matches = matchVoyages(
    stored.map(({ voyage }) => voyage),
    imported.map(({ voyage }) => voyage),
  );
  for (const [index, planned] of imported.entries()) {
    const before = stored[matches.get(index) ?? -1];
    if (before) {
      left.delete(before);
      compareVoyage(before, planned, changes, now);
      continue;
    }
    const id = newId('voy');
    changes.voyages.push({ id, ...planned.voyage });
    for (const sailing of planned.sailings) addSailing({ ...sailing, voyageId: id }, changes);
  }
  for (const { sailings } of left) withdrawMissing(sailings, changes, now);
  return changes;
}

function compareVoyage(
  before: StoredVoyage,
  planned: ImportedVoyage,
  changes: VoyageChanges,
  now: Date,
): void {
  const { voyage } = before;
  const hasSamePorts = joinPorts(voyage) === joinPorts(planned.voyage);
  const hasDeparted = getStopTime(voyage.stops[0]) <= now.getTime();
  // The passengers on board keep the stops that they have bought.
  if (!hasSamePorts && hasDeparted) {
    changes.unchanged += before.sailings.length;
    return;
  }
  const after = {
    ...{ id: voyage.id, ...planned.voyage },
    ...(hasDeparted ? { stops: mergeStops(voyage, planned.voyage, now) } : {}),
    ...(hasDeparted || hasOtherVessel(voyage) ? { vesselId: voyage.vesselId } : {}),
  };
  if (!isSameVoyage(voyage, after)) changes.voyages.push(after);
  if (!hasSamePorts) changes.rerouted.push(voyage.id);
  const ofVoyage = {
    isSameBoat: voyage.vesselId === after.vesselId,
    hasSalesException: before.hasSalesException,
  };
  const left = new Map(before.sailings.map((sailing) => [sailing.routeId, sailing]));
  for (const sailing of planned.sailings) {
    const stored = left.get(sailing.routeId);
    left.delete(sailing.routeId);
    if (stored) compareSailing(stored, { ...sailing, ...ofVoyage }, changes, now);
    else addSailing({ ...sailing, voyageId: voyage.id }, changes);
  }
  withdrawMissing([...left.values()], changes, now);
  if (!hasSamePorts)
    for (const sailing of left.values()) moveToNewStops(sailing, before.voyage, after, changes);
}

function compareSailing(
  before: SailingRow,
  {
    isSameBoat,
    hasSalesException,
    ...sailing
  }: ImportedVoyage['sailings'][number] & Record<'isSameBoat' | 'hasSalesException', boolean>,
  changes: VoyageChanges,
  now: Date,
): void {
  const isRetimed = !isSameTime(before, sailing) || before.withdrawn;
  const isSame =
    !isRetimed &&
    isSameBoat &&
    before.firstStop === sailing.firstStop &&
    before.lastStop === sailing.lastStop &&
    (hasSalesException || before.salesCloseAt.getTime() === sailing.salesCloseAt.getTime());
  if (isSame || before.departsAt <= now) {
    changes.unchanged += 1;
    return;
  }
  if (isRetimed) changes.retimed.push(before.id);
  if (before.withdrawn) changes.restored.push(before.id);
  changes.changedSailings.push({ ...before, ...sailing, ...reinstate(before), version: before.version + 1 });
}

function addSailing(sailing: Omit<typeof sailings.$inferInsert, 'id'>, changes: VoyageChanges): void {
  changes.addedSailings.push({ id: newId('slg'), ...sailing });
}

/** A sailing withdrawn by the timetable is reinstated by it; one canceled by staff is not. */
function reinstate(
  before: SailingRow,
): Pick<SailingRow, 'status' | 'statements' | 'writtenStatusText' | 'withdrawn'> {
  const { status, statements, writtenStatusText } = before;
  if (!before.withdrawn) return { status, statements, writtenStatusText, withdrawn: false };
  return { status: 'scheduled', statements: [], writtenStatusText: '', withdrawn: false };
}

function withdrawMissing(missing: readonly SailingRow[], changes: VoyageChanges, now: Date): void {
  for (const sailing of missing) {
    if (sailing.departsAt > now && sailing.status !== 'canceled') changes.vanished.push(sailing.id);
  }
}

/**
 * Keeps the stretches of a sailing that its rerouted voyage no longer sells: its orders still hold places. If the
 * voyage no longer serves its ports, the sailing becomes a separate voyage.
 */
function moveToNewStops(
  sailing: SailingRow,
  before: VoyageRow,
  after: VoyageRow,
  changes: VoyageChanges,
): void {
  const first = before.stops[sailing.firstStop];
  const last = before.stops[sailing.lastStop];
  const firstStop = after.stops.findIndex((stop) => stop.port_id === first?.port_id);
  const lastStop = after.stops.findLastIndex((stop) => stop.port_id === last?.port_id);
  if (firstStop !== -1 && lastStop > firstStop) {
    changes.changedSailings.push({ ...sailing, firstStop, lastStop });
    return;
  }
  if (!first || !last) return;
  const id = newId('voy');
  const stops = [
    { ...first, arrives_at: null },
    { ...last, departs_at: null },
  ];
  changes.voyages.push({ ...before, id, stops });
  changes.rerouted.push(id);
  changes.changedSailings.push({ ...sailing, voyageId: id, firstStop: 0, lastStop: 1 });
}

function joinPorts({ stops }: Pick<VoyageRow, 'stops'>): string {
  return stops.map((stop) => stop.port_id).join(' ');
}

/** Departure, or arrival at the last stop. */
function getStopTime(stop: VoyageStop | undefined): number {
  return Date.parse(stop?.departs_at ?? stop?.arrives_at ?? '');
}

/** The planned stops, but those already left as they were. */
function mergeStops(
  before: Pick<VoyageRow, 'stops'>,
  { stops }: Pick<VoyageRow, 'stops'>,
  now: Date,
): VoyageStop[] {
  return stops.map((stop, index) => {
    const storedStop = before.stops[index];
    return storedStop && getStopTime(storedStop) <= now.getTime() ? storedStop : stop;
  });
}

/** Whether an exception gives the voyage another vessel. */
function hasOtherVessel({ vesselId, plannedVesselId }: VoyageRow): boolean {
  return vesselId !== plannedVesselId;
}

function isSameVoyage(a: VoyageRow, b: VoyageRow): boolean {
  const toComparable = ({ vesselId, plannedVesselId, gtfsTripKey, stops }: VoyageRow) =>
    JSON.stringify([
      vesselId,
      plannedVesselId,
      gtfsTripKey,
      stops.map((stop) => [stop.port_id, stop.arrives_at, stop.departs_at]),
    ]);
  return toComparable(a) === toComparable(b);
}

function isSameTime(
  a: Pick<SailingRow, 'departsAt' | 'arrivesAt'>,
  b: Pick<SailingRow, 'departsAt' | 'arrivesAt'>,
): boolean {
  return a.departsAt.getTime() === b.departsAt.getTime() && a.arrivesAt.getTime() === b.arrivesAt.getTime();
}
