import { isDeepStrictEqual } from 'node:util';
import { and, between, eq, gt, inArray, sql } from 'drizzle-orm';
import { type DelayNotice, findDelayNotice } from '#domain/sailings/delay-notice.ts';
import { resolveSailingState, type SailingState } from '#domain/sailings/exceptions.ts';
import { getExpectedTimes } from '#domain/sailings/expected-times.ts';
import { type Database, queryRows } from '#server/database/database.ts';
import { routes, sailings, voyages } from '#server/database/schema/timetable.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import type { NoticeContext } from '#server/sms/queue-sms.ts';
import { forEachChunk } from '../bulk.ts';
import type { NoticeReport } from '../notices/notice-report.ts';
import {
  markOrders,
  markOrdersById,
  markReinstated,
  type Notice,
  notifyPassengers,
} from '../notices/notify-passengers.ts';
import { loadCatalogue } from '../queries.ts';
import { writeCapacities } from '../write-capacities.ts';
import { applyExtraSailings } from './extra-sailings.ts';
import { appliesToSailing, appliesToVoyage, type ExceptionRow } from './match-exception.ts';
import { findOverbookedOrders, type OverbookedOrder } from './overbooked-orders.ts';
import { reviewRoom } from './review-room.ts';
import { listExceptions } from './store-exceptions.ts';
import { takeOffCanceledBoats } from './take-off-canceled-boats.ts';
import { listVoyages, type VoyageOfDay } from './voyages-of-days.ts';

/** Of shorter delays passengers are not told, unless the operator's settings say so. */
const USUAL_NOTICE_MINUTES = 15;

export type AppliedExceptions = {
  /** Number of sailings whose state changed. */
  sailings: number;
  notices: NoticeReport;
  /** Orders that no longer fit on a boat with less room. */
  overbooked: OverbookedOrder[];
  /** Extra sailings that could not be added, because no sailing runs that they could be like. */
  withoutModel: ExceptionRow[];
};

/** Both inclusive. */
type ExceptionDays = {
  from: string;
  until: string;
  /** What passengers must be notified of in any case. */
  before?: Required<Pick<Notice, 'affected' | 'moved'>>;
};

/**
 * Makes the sailings of some service days that have not arrived what their exceptions say: added, canceled, on hold, late,
 * on another vessel, on sale or not. Orders on sailings canceled or reinstated by this are marked and their passengers notified
 * once. Does nothing if nothing differs. Sailings that the timetable has withdrawn stay so.
 */
export async function applyExceptions(
  tx: Database,
  context: NoticeContext,
  { before = { affected: [], moved: [] }, ...days }: ExceptionDays,
): Promise<AppliedExceptions> {
  const now = context.clock.now();
  const active = await listExceptions(tx, days);
  const extras = await applyExtraSailings(tx, { exceptions: active, days, now });
  const timetable = await findUpcoming(tx, days, now);
  const exceptions = matchExceptions(timetable, active);
  const { voyageIds, overbooked } = await changeVessels(tx, { timetable, exceptions, now });
  const { delay_notice_minutes: noticeFrom = USUAL_NOTICE_MINUTES } = await loadWebSettings({ db: tx });
  const changes = timetable.sailings.flatMap((sailing): Change[] => {
    const own = (exceptions.get(sailing.voyageId) ?? []).filter((each) => appliesToSailing(each, sailing));
    const state = resolveSailingState(plannedTimes(sailing), own.map(presentException));
    return isSame(sailing, state) ? [] : [{ sailing, state, ...tellDelay({ sailing, state }, noticeFrom) }];
  });
  await writeStates(tx, changes, now);
  const canceled = pickIds(changes, isCanceled);
  await takeOffCanceledBoats(tx, { ids: canceled, now });
  const affected = [
    ...before.affected,
    ...extras.affected,
    ...(await markOrders(tx, { ids: canceled, why: 'sailing_canceled', now })),
    ...(await markReinstated(tx, { ids: pickIds(changes, isReinstated), now })),
    ...(await markOrdersById(tx, { ids: overbooked.map(({ orderId }) => orderId), why: 'no_room', now })),
    ...(await reviewRoom(tx, context)),
  ];
  const { choiceDelayMinutes } = (await loadCatalogue(tx)).feed;
  const late = pickIds(changes, (change) => isLate(change, choiceDelayMinutes));
  affected.push(...(await markOrders(tx, { ids: late, why: 'sailing_changed', now })));
  const changingBoats = await findChangingBoats(tx, pickIds(changes, isAnotherDelay));
  const told = {
    late: pickIds(changes, isToldOf('late', now)),
    on_time: pickIds(changes, isToldOf('on_time', now)),
  };
  const delays = { late: await findTravelers(tx, told.late), on_time: await findTravelers(tx, told.on_time) };
  const moved = [...before.moved, ...told.late, ...told.on_time];
  const notices = await notifyPassengers(tx, context, { affected, changingBoats, delays, moved });
  const changed = new Set([...extras.sailingIds, ...changes.map(({ sailing }) => sailing.id)]);
  for (const { id, voyageId } of timetable.sailings) if (voyageIds.has(voyageId)) changed.add(id);
  return {
    sailings: changed.size,
    notices,
    overbooked,
    withoutModel: extras.withoutModel,
  };
}

type UpcomingSailing = Pick<
  typeof sailings.$inferSelect,
  | 'id'
  | 'voyageId'
  | 'departsAt'
  | 'arrivesAt'
  | 'salesCloseAt'
  | 'status'
  | 'statements'
  | 'writtenStatusText'
  | 'delayMinutes'
  | 'notifiedDelayMinutes'
> &
  Pick<typeof routes.$inferSelect, 'originPortId' | 'destinationPortId' | 'salesCloseMinutes'>;

type Upcoming = { sailings: UpcomingSailing[]; voyages: VoyageOfDay[] };

const expectedArrival =
  sql<Date>`${sailings.arrivesAt} + make_interval(mins => ${sailings.delayMinutes})`.mapWith(
    sailings.arrivesAt,
  );

async function findUpcoming(
  tx: Database,
  { from, until }: { from: string; until: string },
  now: Date,
): Promise<Upcoming> {
  const upcoming = await tx
    .select({
      id: sailings.id,
      voyageId: sailings.voyageId,
      departsAt: sailings.departsAt,
      arrivesAt: sailings.arrivesAt,
      salesCloseAt: sailings.salesCloseAt,
      status: sailings.status,
      statements: sailings.statements,
      writtenStatusText: sailings.writtenStatusText,
      delayMinutes: sailings.delayMinutes,
      notifiedDelayMinutes: sailings.notifiedDelayMinutes,
      originPortId: routes.originPortId,
      destinationPortId: routes.destinationPortId,
      salesCloseMinutes: routes.salesCloseMinutes,
    })
    .from(sailings)
    .innerJoin(routes, eq(routes.id, sailings.routeId))
    .where(
      and(
        between(sailings.serviceDate, from, until),
        // Boats that are late or break down are announced after they should have left, too.
        gt(expectedArrival, now),
        eq(sailings.withdrawn, false),
      ),
    );
  return { sailings: upcoming, voyages: await listVoyages(tx, { from, until }) };
}

/** The exceptions of each voyage, by its id. */
function matchExceptions(
  { voyages }: Upcoming,
  exceptions: readonly ExceptionRow[],
): ReadonlyMap<string, ExceptionRow[]> {
  const ids = new Set(voyages.map(({ id }) => id));
  const matches = voyages.map(
    (voyage) => [voyage.id, exceptions.filter((each) => appliesToVoyage(each, voyage, ids))] as const,
  );
  return new Map(matches);
}

/** @returns the voyages that got another vessel, and the orders that no longer fit */
async function changeVessels(
  tx: Database,
  {
    timetable,
    exceptions,
    now,
  }: { timetable: Upcoming; exceptions: ReadonlyMap<string, ExceptionRow[]>; now: Date },
): Promise<{ voyageIds: ReadonlySet<string>; overbooked: OverbookedOrder[] }> {
  const ahead = timetable.sailings.filter(({ departsAt }) => departsAt > now);
  const upcoming = new Set(ahead.map(({ voyageId }) => voyageId));
  const changed = timetable.voyages.flatMap((voyage) => {
    const latest = (exceptions.get(voyage.id) ?? [])
      .filter(({ vesselId }) => vesselId !== null)
      .toSorted((a, b) => b.insertedAt.getTime() - a.insertedAt.getTime())[0];
    const vesselId = latest?.vesselId ?? voyage.plannedVesselId;
    return upcoming.has(voyage.id) && vesselId !== voyage.vesselId ? [{ id: voyage.id, vesselId }] : [];
  });
  if (changed.length === 0) return { voyageIds: new Set(), overbooked: [] };
  for (const { id, vesselId } of changed) {
    await tx.update(voyages).set({ vesselId, updatedAt: now }).where(eq(voyages.id, id));
  }
  const ids = changed.map(({ id }) => id);
  await tx
    .update(sailings)
    .set({ version: sql`${sailings.version} + 1`, updatedAt: now })
    .where(inArray(sailings.voyageId, ids));
  await forEachChunk(ids, (list) => writeCapacities(tx, list, now));
  return { voyageIds: new Set(ids), overbooked: await findOverbookedOrders(tx, ids) };
}

function plannedTimes({ departsAt, salesCloseMinutes }: UpcomingSailing) {
  const departs = departsAt.getTime();
  return { departsAt: departs, salesCloseAt: departs - salesCloseMinutes * 60_000 };
}

function presentException({ kind, reason, text, translations, minutes, insertedAt }: ExceptionRow) {
  return { kind, reason, text, translations, minutes, insertedAt: insertedAt.getTime() };
}

function isSame(sailing: UpcomingSailing, state: SailingState): boolean {
  return (
    sailing.status === state.status &&
    sailing.writtenStatusText === '' &&
    isDeepStrictEqual(sailing.statements, state.statements) &&
    sailing.delayMinutes === state.delayMinutes &&
    sailing.salesCloseAt.getTime() === state.salesCloseAt
  );
}

/** `told`: the delay that passengers know after it. `notice`: what they are told about the delay; null: nothing. */
type Change = {
  sailing: UpcomingSailing;
  state: SailingState;
  told: number;
  notice: DelayNotice | null;
};

/** Of a cancellation and its end passengers are told in any case, with the times that hold then. */
function tellDelay(
  { sailing, state }: Pick<Change, 'sailing' | 'state'>,
  noticeFrom: number,
): Pick<Change, 'told' | 'notice'> {
  if (state.status === 'canceled') return { told: 0, notice: null };
  if (sailing.status === 'canceled') return { told: state.delayMinutes, notice: null };
  const { notifiedDelayMinutes: told } = sailing;
  const notice = findDelayNotice({ told, delay: state.delayMinutes }, noticeFrom);
  return { told: notice === null ? told : state.delayMinutes, notice };
}

/** Passengers of a boat that has left know when it did. */
function isToldOf(notice: DelayNotice, now: Date): (change: Change) => boolean {
  return ({ sailing: { departsAt, arrivesAt }, state: { delayMinutes }, notice: told }) =>
    told === notice && getExpectedTimes({ departsAt, arrivesAt, delayMinutes }).departsAt > now.getTime();
}

async function writeStates(tx: Database, changes: readonly Change[], now: Date): Promise<void> {
  const rows = changes.map(({ sailing, state, told }) => ({
    id: sailing.id,
    status: state.status,
    statements: state.statements,
    delay_minutes: state.delayMinutes,
    notified_delay_minutes: told,
    sales_close_at: new Date(state.salesCloseAt).toISOString(),
  }));
  await tx.execute(sql`
    update sailings s
    set status = w.status, status_text = '', statements = w.statements, delay_minutes = w.delay_minutes,
      notified_delay_minutes = w.notified_delay_minutes,
      sales_close_at = w.sales_close_at, version = s.version + 1, updated_at = ${now.toISOString()}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
      as w (id text, status text, statements jsonb, delay_minutes int, notified_delay_minutes int,
        sales_close_at timestamptz)
    where s.id = w.id`);
}

function pickIds(changes: readonly Change[], isWanted: (change: Change) => boolean): string[] {
  return changes.filter(isWanted).map(({ sailing }) => sailing.id);
}

function isCanceled({ sailing, state }: Change): boolean {
  return state.status === 'canceled' && sailing.status !== 'canceled';
}

/** Whether it has just become so late that passengers have a choice. */
function isLate({ sailing, state }: Change, choiceDelayMinutes: number): boolean {
  return (
    state.status !== 'canceled' &&
    state.delayMinutes >= choiceDelayMinutes &&
    (sailing.delayMinutes < choiceDelayMinutes || sailing.status === 'canceled')
  );
}

function isAnotherDelay({ sailing, state }: Change): boolean {
  return state.status !== 'canceled' && sailing.delayMinutes !== state.delayMinutes;
}

/** Paid orders with tickets for one of these sailings. */
async function findTravelers(tx: Database, sailingIds: readonly string[]): Promise<string[]> {
  const orderIds: string[] = [];
  await forEachChunk(sailingIds, async (list) => {
    const rows = await queryRows<{ id: string }>(
      tx,
      sql`
      select distinct o.id from order_lines l
      join orders o on o.id = l.order_id and o.status in ('confirmed', 'partly_canceled')
      where l.sailing_id in ${list} and l.status = 'active'`,
    );
    orderIds.push(...rows.map(({ id }) => id));
  });
  return orderIds;
}

/** Paid orders whose journey changes boats from or to one of these sailings. */
async function findChangingBoats(tx: Database, sailingIds: readonly string[]): Promise<string[]> {
  const orderIds: string[] = [];
  await forEachChunk(sailingIds, async (list) => {
    const rows = await queryRows<{ id: string }>(
      tx,
      sql`
      select distinct o.id from order_lines l
      join orders o on o.id = l.order_id and o.status in ('confirmed', 'partly_canceled')
      join order_lines onward on onward.order_id = o.id and onward.status = 'active'
        and onward.leg in ('out_onward', 'back_onward')
      where l.sailing_id in ${list} and l.status = 'active'`,
    );
    orderIds.push(...rows.map(({ id }) => id));
  });
  return orderIds;
}

function isReinstated({ sailing, state }: Change): boolean {
  return state.status !== 'canceled' && sailing.status === 'canceled';
}
