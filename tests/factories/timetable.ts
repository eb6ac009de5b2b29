import { and, eq } from 'drizzle-orm';
import { newId } from '#server/core/ids.ts';
import type { Database } from '#server/database/database.ts';
import { holdItems, holds } from '#server/database/schema/holds.ts';
import { orderLines, orders } from '#server/database/schema/sales.ts';
import { routes, sailings, voyages } from '#server/database/schema/timetable.ts';
import { demoFeedFolder } from '#server/demo/demo-timetable.ts';
import { type FeedFiles, readFeedFiles } from '#server/sailings/feed/feed-files.ts';
import { type ImportReport, importTimetable } from '#server/sailings/import-timetable.ts';
import type { AcceptedChanges } from '#server/sailings/preview/check-import.ts';

/** A Monday morning in June, on the ports of the feeds built here: 08:00 in Los Angeles. */
export const MONDAY = '2026-06-01T15:00:00.000Z';

/**
 * One route between two ports, a boat each way at 10:00 and 12:00 every day, with a small boat and fares.
 * Files can be replaced by text, or taken away with null.
 */
export function buildFeed(changes: Record<string, string | null> = {}): FeedFiles {
  const texts = Object.entries({ ...plainFeed, ...changes }).filter(([, text]) => text !== null);
  const encoder = new TextEncoder();
  return new Map(texts.map(([name, text]) => [name, encoder.encode(text ?? '')]));
}

/** The text of one file of the feed `buildFeed` makes, to be changed and given back. */
export function feedText(name: keyof typeof plainFeed): string {
  return plainFeed[name];
}

const plainFeed = {
  'agency.txt': 'agency_id,agency_name,agency_timezone\na,Test Ferries,America/Los_Angeles\n',
  'stops.txt':
    'stop_id,stop_name,stop_lat,stop_lon,wheelchair_boarding\nnorth,North Pier,48.1,-122.1,1\nsouth,South Pier,47.9,-122.2,2\n',
  'routes.txt': 'route_id,route_long_name,route_type\nsound,Across the Sound,4\n',
  'trips.txt':
    'route_id,service_id,trip_id\nsound,daily,out-10\nsound,daily,back-11\nsound,daily,out-12\nsound,daily,back-13\n',
  'stop_times.txt': [
    'trip_id,arrival_time,departure_time,stop_id,stop_sequence',
    'out-10,10:00:00,10:00:00,north,1',
    'out-10,10:30:00,10:30:00,south,2',
    'back-11,11:00:00,11:00:00,south,1',
    'back-11,11:30:00,11:30:00,north,2',
    'out-12,12:00:00,12:00:00,north,1',
    'out-12,12:30:00,12:30:00,south,2',
    'back-13,13:00:00,13:00:00,south,1',
    'back-13,13:30:00,13:30:00,north,2',
    '',
  ].join('\n'),
  'calendar.txt':
    'service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\ndaily,1,1,1,1,1,1,1,20260101,20271231\n',
  'operator.csv': 'currency,max_party\nUSD,9\n',
  'vessels.csv':
    'code,name,passengers,lane_cm,tall_lane_cm,normal_clearance_cm,tall_clearance_cm,bicycles\ntern,MV Tern,10,2000,1000,213,400,2\n',
  'route_rules.csv': 'route_id,carries_vehicles,carries_bicycles\nsound,yes,yes\n',
  'passenger_types.csv': 'code,name,needs_adult\nadult,Adult,no\nchild,Child,yes\n',
  'vehicle_types.csv':
    'code,name,length_required,height_required,max_length_cm,included_driver\ncar,Car,yes,no,1200,adult\nvan,Van,yes,yes,1200,adult\n',
  'fare_classes.csv': 'code,name,cancel\nsaver,Saver,\nflex,Flexible,1440:100:0.00\n',
  'fares.csv': [
    'fare_class,kind,passenger_type,vehicle_type,amount,base_cm,step_cm,step_amount',
    'saver,passenger,adult,,8.25,,,',
    'saver,passenger,child,,4.10,,,',
    'saver,vehicle,,car,20.00,600,30,1.00',
    'saver,vehicle,,van,30.00,600,30,1.00',
    'saver,bicycle,,,1.00,,,',
    'flex,passenger,adult,,10.00,,,',
    '',
  ].join('\n'),
  'promo_codes.csv': 'code,kind,value,max_redemptions\nHALF,percent,50,\nGONE,amount,5.00,1\n',
};

/** Imports a feed; by default whatever happens to sold sailings. */
export async function importFeed(
  db: Database,
  files: FeedFiles = buildFeed(),
  {
    now = MONDAY,
    days = 7,
    accepted = 'all',
  }: { now?: string; days?: number; accepted?: AcceptedChanges } = {},
): Promise<ImportReport> {
  return importTimetable(
    { db, config: { sms: null }, clock: { now: () => new Date(now) } },
    { files, days, accepted },
  );
}

/** Imports the demo operator, by default for one week. */
export async function importDemo(db: Database, now = MONDAY, days = 7): Promise<ImportReport> {
  return importFeed(db, await readFeedFiles(demoFeedFolder), { now, days });
}

/** Id of the route with this code, such as `MAD-HER`. */
export async function routeIdOf(db: Database, code: string): Promise<string> {
  const [route] = await db.select({ id: routes.id }).from(routes).where(eq(routes.code, code));
  if (!route) throw new Error(`There is no route ${code}.`);
  return route.id;
}

/** The sailing of a trip on a service day. */
export async function sailingOf(
  db: Database,
  tripKey: string,
  day: string,
): Promise<typeof sailings.$inferSelect> {
  const [match] = await db
    .select({ sailing: sailings })
    .from(sailings)
    .innerJoin(voyages, eq(voyages.id, sailings.voyageId))
    .where(and(eq(voyages.gtfsTripKey, tripKey), eq(sailings.serviceDate, day)));
  if (!match) throw new Error(`There is no sailing ${tripKey} on ${day}.`);
  return match.sailing;
}

/** One place held on a sailing, not included in the capacity counters. */
export async function buildHoldOn(db: Database, sailingId: string): Promise<string> {
  const id = await buildHold(db, 'active');
  await db.insert(holdItems).values({ holdId: id, sailingId, resource: 'passenger', amount: 1 });
  return id;
}

/** A paid order of one passenger, not included in the capacity counters. @returns its id */
export async function buildOrderOn(
  db: Database,
  sailingId: string,
  changes: Partial<typeof orders.$inferInsert> = {},
): Promise<string> {
  const now = new Date(MONDAY);
  const id = newId('ord');
  const holdId = await buildHold(db, 'consumed');
  await db.insert(orders).values({
    id,
    reference: id.slice(-8),
    status: 'confirmed',
    paymentStatus: 'paid',
    holdId,
    contactName: 'Ada Byron',
    contactEmail: 'ada@example.com',
    locale: 'en-US',
    currency: 'USD',
    subtotal: 825,
    discount: 0,
    tax: 0,
    total: 825,
    paid: 825,
    fareClassCode: 'saver',
    fareClassName: 'Saver',
    farePolicy: { change: { allowed: false, fee: 0, until_minutes: 0 }, cancel: [], no_show: 'forfeit' },
    termsVersion: '2026-01',
    termsAcceptedAt: now,
    insertedAt: now,
    updatedAt: now,
    ...changes,
  });
  await db.insert(orderLines).values({
    id: newId('oln'),
    orderId: id,
    position: 1,
    leg: 'out',
    sailingId,
    kind: 'passenger',
    typeCode: 'adult',
    description: 'Adult',
    quantity: 1,
    unitAmount: 825,
    amount: 825,
  });
  return id;
}

async function buildHold(db: Database, status: 'active' | 'consumed'): Promise<string> {
  const now = new Date(MONDAY);
  const id = newId('hld');
  await db.insert(holds).values({
    id,
    status,
    request: { legs: [], passengers: [], vehicle: null, bicycles: 0, fare_class: 'saver', promo_code: null },
    total: 825,
    priceFingerprint: 'as quoted',
    expiresAt: now,
    expiresAtMax: now,
    insertedAt: now,
  });
  return id;
}
