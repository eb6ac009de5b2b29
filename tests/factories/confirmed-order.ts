import type { FarePolicy } from '#contract/catalogue/schemas.ts';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import type { Database } from '#server/database/database.ts';
import { holds } from '#server/database/schema/holds.ts';
import { orderLines, orders, tickets } from '#server/database/schema/sales.ts';
import { ports, routes, sailings, vessels, voyages } from '#server/database/schema/timetable.ts';
import { issueTickets, type SoldLine } from '#server/orders/tickets/issue-tickets.ts';
import { buildDirectSailing, buildDirectVoyage } from './ferry.ts';

export type ConfirmedOrder = { id: string; reference: string; sailingIds: string[] };
type OrderFields = {
  reference?: string;
  email?: string;
  name?: string;
  travelerNames?: string[];
  plate?: string;
  status?: typeof orders.$inferInsert.status;
  originName?: string;
};

const policy: FarePolicy = {
  change: { allowed: true, fee: 0, until_minutes: 60 },
  cancel: [{ until_minutes_before: 1440, refund_bp: 10_000, fee: 0 }],
  no_show: 'travel_next_same_day',
};

/** Two adults, a car and a bicycle from Seattle to Bergen and back, paid, with the local times of both ports. */
export async function buildConfirmedOrder(
  context: Pick<Context, 'db' | 'clock' | 'ticketSigner'>,
  fields: OrderFields = {},
): Promise<ConfirmedOrder> {
  const { db } = context;
  const now = context.clock.now();
  const timetable = await buildTimetable(db, now, fields.originName ?? 'Seattle');
  const holdId = newId('hld');
  await db.insert(holds).values({
    id: holdId,
    status: 'consumed',
    request: { legs: [], passengers: [], vehicle: null, bicycles: 0, fare_class: 'flex', promo_code: null },
    total: 12_050,
    priceFingerprint: 'as quoted',
    expiresAt: now,
    expiresAtMax: now,
    insertedAt: now,
  });
  const order = {
    id: newId('ord'),
    reference: fields.reference ?? 'K7M4-QXP8',
    plate: fields.plate ?? '5KJH 220',
    vehicle: { type: 'car', length_cm: 480, trailer_cm: 200 },
  };
  await db.insert(orders).values({
    ...order,
    status: fields.status ?? 'confirmed',
    paymentStatus: 'paid',
    holdId,
    contactName: fields.name ?? 'Ada Lovelace',
    travelerNames: fields.travelerNames ?? [],
    contactEmail: fields.email ?? 'ada@example.com',
    locale: 'en-US',
    currency: 'USD',
    subtotal: 12_050,
    discount: 0,
    tax: 0,
    total: 12_050,
    paid: 12_050,
    fareClassCode: 'flex',
    fareClassName: 'Flex',
    farePolicy: policy,
    termsVersion: '2026-01',
    termsAcceptedAt: now,
    confirmedAt: now,
    insertedAt: now,
    updatedAt: now,
  });
  const lines = timetable.flatMap(({ leg, sailingId, departsAt }, index) => [
    {
      ...line(order.id, index * 3 + 1, leg, sailingId),
      ...part('passenger', 'adult', 'Adult', 2, 2000),
      item: 'passenger' as const,
      departsAt,
    },
    {
      ...line(order.id, index * 3 + 2, leg, sailingId),
      ...part('vehicle', 'car', 'Car', 1, 1900),
      item: 'vehicle_with_trailer' as const,
      departsAt,
    },
    {
      ...line(order.id, index * 3 + 3, leg, sailingId),
      ...part('bicycle', null, '', 1, 125),
      item: 'bicycle' as const,
      departsAt,
    },
  ]);
  await db.insert(orderLines).values(lines.map(({ departsAt: _, ...row }) => row));
  await db.insert(tickets).values(issueTickets(context, { order, lines }));
  return { id: order.id, reference: order.reference, sailingIds: timetable.map((each) => each.sailingId) };
}

/** One adult on a separate sailing. */
export function buildSoldLine(changes: Partial<SoldLine> = {}): SoldLine {
  return {
    id: newId('oln'),
    leg: 'out',
    sailingId: newId('slg'),
    kind: 'passenger',
    typeCode: 'adult',
    quantity: 1,
    departsAt: new Date('2026-06-05T16:30:00Z'),
    ...changes,
  };
}

/** The code of a separate ticket. */
export function issueOne(
  context: Pick<Context, 'clock' | 'ticketSigner'>,
  changes: Partial<SoldLine> = {},
): string {
  const order = { id: newId('ord'), reference: 'K7M4-QXP8', plate: null, vehicle: null };
  return issueTickets(context, { order, lines: [buildSoldLine(changes)] })[0]?.payload ?? '';
}

type LineKind = 'passenger' | 'vehicle' | 'bicycle';

function line(orderId: string, position: number, leg: 'out' | 'back', sailingId: string) {
  return { id: newId('oln'), orderId, position, leg, sailingId };
}

function part(
  kind: LineKind,
  typeCode: string | null,
  description: string,
  quantity: number,
  unitAmount: number,
) {
  return { kind, typeCode, description, quantity, unitAmount, amount: quantity * unitAmount };
}

async function buildTimetable(db: Database, now: Date, originName: string) {
  const port = (name: string, timeZone: string, code: string) => ({
    id: newId('prt'),
    gtfsStopId: `${code}-${newId('prt')}`,
    code: `${code}${newId('prt').slice(-6)}`,
    name,
    timeZone,
    lat: 47.602501,
    lon: -122.340472,
    address: '801 Alaskan Way, Seattle, WA 98104',
  });
  const here = port(originName, 'America/Los_Angeles', 'SEA');
  const there = { ...port('Bergen', 'Europe/Oslo', 'BGO'), address: 'Skoltegrunnskaien' };
  await db.insert(ports).values([here, there]);
  const vesselId = newId('ves');
  await db.insert(vessels).values({
    id: vesselId,
    code: vesselId,
    name: 'MV Wenatchee',
    passengerCapacity: 100,
    wheelchairPlaces: 4,
  });
  const crossing = (leg: 'out' | 'back', from: string, to: string, departs: string, minutes: number) => ({
    leg,
    routeId: newId('rte'),
    sailingId: newId('slg'),
    from,
    to,
    departsAt: new Date(departs),
    arrivesAt: new Date(Date.parse(departs) + minutes * 60_000),
  });
  const crossings = [
    crossing('out', here.id, there.id, '2026-06-05T16:30:00Z', 35),
    crossing('back', there.id, here.id, '2026-06-08T20:10:00Z', 600),
  ];
  for (const each of crossings) {
    await db.insert(routes).values({
      id: each.routeId,
      gtfsRouteId: each.routeId,
      code: each.leg,
      name: each.leg,
      originPortId: each.from,
      destinationPortId: each.to,
      crossingMinutes: 35,
    });
    const voyage = buildDirectVoyage({
      ...{ vesselId, now, portIds: [each.from, each.to], tripKey: each.leg },
      ...{ departsAt: each.departsAt, arrivesAt: each.arrivesAt },
    });
    await db.insert(voyages).values(voyage);
    const sailing = buildDirectSailing(voyage, each.routeId);
    await db.insert(sailings).values({ ...sailing, id: each.sailingId, salesCloseAt: each.departsAt });
  }
  return crossings;
}
