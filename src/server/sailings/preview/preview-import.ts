import {
  type DoubleBooking,
  describeDoubleBooking,
  type VesselVoyage,
} from '#domain/sailings/double-bookings.ts';
import { getClockTime } from '#domain/time/port-time.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { routes } from '#server/database/schema/timetable.ts';
import type { NoticeContext } from '#server/sms/queue-sms.ts';
import type { PreparedFeed } from '../feed/prepare-feed-worker.ts';
import { type NoticeReport, reportNotices } from '../notices/notice-report.ts';
import { type CatalogueIds, findCatalogueIds } from '../write-catalogue.ts';
import { type ImportRisk, measureRisk } from './check-import.ts';
import { compareFares, type FareChanges } from './compare-fares.ts';
import { comparePromoCodes, type PromoChanges } from './compare-promo-codes.ts';
import { compareTaxes, type TaxChange } from './compare-taxes.ts';
import { findUnpaidOrders, readSoldSailings, type SoldSailing } from './sold-sailings.ts';
import { type DayChange, type SailingSurvey, selectSoldParts, surveySailings } from './survey-sailings.ts';

/** What an import would change. */
export type ImportPreview = {
  currency: string;
  ports: number;
  routes: number;
  /** Last service day with sailings to import. */
  until: string;
  sailings: Omit<SailingSurvey, 'servedRouteIds' | 'doubleBookings' | 'days' | 'vanished'>;
  /** `route`: its name. */
  days: (Omit<DayChange, 'routeId'> & { route: string })[];
  fares: FareChanges;
  taxes: TaxChange[];
  promoCodes: PromoChanges;
  /** Port pairs of the feed that cannot be sold, and why. */
  unsoldPairs: { route: string; reason: string }[];
  /** Names of ports to which no sailing can be bought. */
  unreachedPorts: string[];
  risk: ImportRisk;
  notices: NoticeReport;
  /** Sentences about what was skipped or cannot be sold yet. */
  skipped: string[];
} & Pick<PreparedFeed, 'digest' | 'upload'>;

type PreviewOptions = { now: Date; limitPercent: number };

/** Finds what an import of a feed would change, without writing. */
export async function previewImport(
  context: Pick<Context, 'db'> & NoticeContext,
  { plan, parts, digest, upload }: PreparedFeed,
  limitPercent: number,
): Promise<ImportPreview> {
  const { db } = context;
  const now = context.clock.now();
  const sold = await readSoldSailings(db, now);
  const ids = await findCatalogueIds(db, plan);
  const { servedRouteIds, doubleBookings, days, vanished, ...sailings } = await surveySailings(
    db,
    { today: plan.today, parts, ids, now },
    sold,
  );
  const isServed = ({ key }: { key: string }) => servedRouteIds.has(ids.routes.get(key) ?? '');
  return {
    currency: plan.currency,
    ports: plan.ports.length,
    routes: plan.routes.length,
    until: plan.until,
    sailings,
    days: await nameRoutes(db, days, { plan, ids }),
    fares: await compareFares(db, plan, ids.lines),
    taxes: await compareTaxes(db, plan, ids.lines),
    promoCodes: await comparePromoCodes(db, plan),
    notices: await reportNotices(db, context, await findAffected(db, { ...sailings, vanished })),
    ...findNetworkGaps(plan, isServed),
    risk: measureRisk(sailings, { sold: sold.size, limitPercent, noService: plan.noService }),
    skipped: [...plan.skipped, ...doubleBookings.map((each) => describePlanned(plan, each))],
    ...{ digest, upload },
  };
}

async function findAffected(
  db: Database,
  { canceled, moved, vanished }: Pick<SailingSurvey, 'canceled' | 'moved' | 'vanished'>,
): Promise<Parameters<typeof reportNotices>[2]> {
  const orderIds = new Set([...canceled, ...moved].flatMap((sailing) => sailing.orderIds));
  return {
    // A cancellation and new times are told on the same channels.
    paid: new Map([['sailing-changed', [...orderIds]]]),
    unpaid: await findUnpaidOrders(db, vanished),
  };
}

async function nameRoutes(
  db: Database,
  days: readonly DayChange[],
  { plan, ids }: { plan: PreparedFeed['plan']; ids: CatalogueIds },
): Promise<ImportPreview['days']> {
  const stored = await db.select({ id: routes.id, name: routes.name }).from(routes);
  const names = new Map(stored.map(({ id, name }) => [id, name]));
  for (const { key, name } of plan.routes) names.set(ids.routes.get(key) ?? key, name);
  return days.map(({ routeId, ...change }) => ({ ...change, route: names.get(routeId) ?? '' }));
}

/** Names boat and ports, which the voyages of a plan name by their keys. */
function describePlanned(
  { vessels, ports, timeZone }: PreparedFeed['plan'],
  { first: [a, b], days }: DoubleBooking,
): string {
  const name = (trip: VesselVoyage): VesselVoyage => {
    const port = ports.find(({ gtfsStopId }) => gtfsStopId === trip.departure);
    return {
      ...trip,
      vesselName: vessels.find(({ code }) => code === trip.vessel)?.name ?? trip.vessel,
      departure: `${getClockTime(trip.startsAt, port?.timeZone ?? timeZone)} ${port?.name ?? trip.departure}`,
    };
  };
  return describeDoubleBooking({ first: [name(a), name(b)], days });
}

/** Measures how much an import would harm passengers, by the days with sold sailings only. */
export async function assessImport(
  db: Database,
  { plan, parts }: PreparedFeed,
  { now, limitPercent }: PreviewOptions,
): Promise<ImportRisk> {
  const riskFactors = { limitPercent, noService: plan.noService };
  const sold: Map<string, SoldSailing> = await readSoldSailings(db, now);
  if (sold.size === 0) return measureRisk({ canceled: [], moved: [] }, { sold: 0, ...riskFactors });
  const ids = await findCatalogueIds(db, plan);
  const timetable = selectSoldParts({ today: plan.today, parts, ids, now }, sold);
  return measureRisk(await surveySailings(db, timetable, sold), { sold: sold.size, ...riskFactors });
}

type PlannedRoute = PreparedFeed['plan']['routes'][number];

function findNetworkGaps(
  { ports, routes, unpricedRoutes, fares, until }: PreparedFeed['plan'],
  isServed: (route: PlannedRoute) => boolean,
): Pick<ImportPreview, 'unsoldPairs' | 'unreachedPorts'> {
  const priced = new Set(fares.filter(({ kind }) => kind === 'passenger').map(({ routeKey }) => routeKey));
  const explainSkip = (route: PlannedRoute) => {
    if (!priced.has(route.key)) return 'no passenger fare';
    return isServed(route) ? null : `no sailing until ${until}`;
  };
  const unsoldPairs: ImportPreview['unsoldPairs'] = [];
  const reached = new Set<string>();
  for (const route of [...routes, ...unpricedRoutes]) {
    const reason = explainSkip(route);
    if (reason === null) reached.add(route.destination);
    else unsoldPairs.push({ route: route.name, reason });
  }
  const unreachedPorts = ports.filter(({ gtfsStopId }) => !reached.has(gtfsStopId)).map(({ name }) => name);
  return { unsoldPairs, unreachedPorts };
}
