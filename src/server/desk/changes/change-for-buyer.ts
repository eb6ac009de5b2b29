import type { ChangeForBuyer, MovedJourneys } from '#contract/desk/changes/schemas.ts';
import type { ChangedJourney, ChangeQuote, QuoteChange } from '#contract/orders/change/schemas.ts';
import type { RebookOrder } from '#contract/orders/rebook/schemas.ts';
import { type Direction, findJourneyStarts, getDirection } from '#domain/orders/legs.ts';
import { getExpectedTimes } from '#domain/sailings/expected-times.ts';
import { formatLocalTime } from '#domain/time/port-time.ts';
import { type AuditEntry, recordAudit, type StaffActor } from '#server/audit/record-audit.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import type { OrderChangeRow } from '#server/database/schema/sales.ts';
import { ApiError } from '#server/http/api-error.ts';
import { queuePaymentLink } from '#server/mail/order-mails.ts';
import { makeChange, quoteChange } from '#server/orders/change/make-change.ts';
import { isOperatorsFault } from '#server/orders/crossings/needs-attention.ts';
import { listActiveLines } from '#server/orders/crossings/replace-journeys.ts';
import { payByStaff, readStaffPayment } from '#server/orders/pay/pay-by-staff.ts';
import type { OrderRecord } from '#server/orders/queries.ts';
import { rebookOrder } from '#server/orders/rebook/rebook.ts';
import { getOnlinePaymentEnd } from '#server/sailings/presenter.ts';
import { findTimetable, type TimetableRecord } from '#server/sailings/queries.ts';
import { getRefundLimit } from '../refund-limit.ts';
import { sumBeyondRules } from '../refunds/refund-beyond-rules.ts';

/**
 * Shows what other boats cost the buyer or give back. `isFree`: without a fee, also where the fare's rules do not allow it.
 * @throws {ApiError} as `priceChange`
 */
export function quoteForBuyer(
  context: Context,
  {
    record,
    journeys,
    isFree,
    language,
  }: { record: OrderRecord; journeys: MovedJourneys; isFree: boolean; language: string },
): Promise<ChangeQuote> {
  return quoteChange(context, {
    ...{ record, request: keepParties(record, journeys), isOwner: true, language },
    terms: { isFree, salePoint: 'ramp' },
  });
}

type ChangeInput = {
  record: OrderRecord;
  change: ChangeForBuyer;
  /** Why it is made beyond the fare's rules; null: by the rules. */
  reason: string | null;
  cashier: StaffActor;
};

/**
 * Moves journeys of an order to other boats as quoted. Staff take a positive difference in person, or mail a link by which
 * the buyer pays it first; a negative one is refunded like that of the buyer's own change. Each happens in the
 * transaction that makes the change and writes the log.
 * @throws {ApiError} as `makeChange`; refund_needs_approval for more than one person may refund beyond the rules;
 * unknown_trip_card, and of a trip card as `spendInPerson`; of a link: sales_closed if there is no time left to pay,
 * order_closed without an address, change_not_allowed if a booked boat is canceled or too full
 */
export async function changeForBuyer(
  context: Context,
  { record, change: { journeys, version, difference, payment }, reason, cashier }: ChangeInput,
): Promise<void> {
  const { order } = record;
  if (difference > 0 && payment === null) throw new ApiError('invalid_input', { field: 'payment' });
  if (reason !== null) requireWithinLimit(context, record, difference);
  const due = difference > 0 ? payment : null;
  // Such a change would end at once.
  if (due?.method === 'link' && isOperatorsFault(order)) {
    throw new ApiError('change_not_allowed', { reason: 'link_ends_at_once' });
  }
  const payUntil =
    due?.method === 'link' ? await findDeadline(context, record, { journeys, minutes: due.minutes }) : null;
  const paid = due && due.method !== 'link' ? await readStaffPayment(context.db, due, order.currency) : null;
  await makeChange(context, {
    ...{ record, request: keepParties(record, journeys), version, difference },
    ...{ actor: 'operator', prove: async () => {} },
    byStaff: {
      ...{ reason, payUntil },
      settle: async (tx, change) => {
        const { id: changeId, difference: amount } = change;
        if (paid) await payByStaff(tx, context, { order, amount, changeId, payment: paid, cashier });
        if (payUntil) await queuePaymentLink(tx, context, { orderId: order.id, changeId });
        const { before, after } = await describeChange(tx, { record, journeys, sums: change });
        await recordAudit(tx, context, {
          ...{ actor: cashier, objectKind: 'order', objectId: order.id, reason },
          action: payUntil ? 'change_link_sent' : 'order_changed',
          ...{ before, after: payUntil ? { ...after, pay_until_at: payUntil.toISOString() } : after },
        });
      },
    },
  });
}

/**
 * Moves a journey that does not run as bought to another one at no charge, as the buyer could.
 * @throws {ApiError} as `rebookOrder`
 */
export async function rebookForBuyer(
  context: Context,
  { record, choice, actor }: { record: OrderRecord; choice: RebookOrder; actor: StaffActor },
): Promise<void> {
  const { id: orderId } = record.order;
  const sums = { fee: 0, difference: 0 };
  await rebookOrder(context, {
    ...{ ...choice, orderId, actor: 'operator' },
    record: async (tx) =>
      recordAudit(tx, context, {
        ...{ actor, action: 'order_changed', objectKind: 'order', objectId: orderId, reason: null },
        ...(await describeChange(tx, { record, journeys: [choice], sums })),
      }),
  });
}

/**
 * Until when the buyer may pay other boats: while they are sold online, and before the booked ones depart.
 * @throws {ApiError} sales_closed
 */
async function findDeadline(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { order, legs }: OrderRecord,
  { journeys, minutes }: { journeys: MovedJourneys; minutes: number },
): Promise<Date> {
  const boats = await findTimetable(
    db,
    journeys.flatMap(({ sailing_ids: ids }) => ids),
  );
  const hasVehicle = order.vehicle !== null;
  const replaced = legs.filter(({ leg }) =>
    journeys.some(({ direction }) => direction === getDirection(leg)),
  );
  const now = clock.now().getTime();
  const end = Math.min(
    now + minutes * 60_000,
    ...boats.map((boat) => getOnlinePaymentEnd(boat, { hasVehicle })),
    ...replaced.map(({ sailing }) => getExpectedTimes(sailing).departsAt),
  );
  if (end <= now) throw new ApiError('sales_closed', { reason: 'no_time_to_pay' });
  return new Date(end);
}

/** Of the refunds of an order beyond its rules, this one included. */
function requireWithinLimit(
  context: Pick<Context, 'config'>,
  { order, refunds }: OrderRecord,
  difference: number,
): void {
  if (difference >= 0) return;
  const limit = getRefundLimit(context, order.currency);
  if (sumBeyondRules(refunds) - difference > limit) throw new ApiError('refund_needs_approval');
}

/** The buyer's change that moves journeys with the parties and the vehicle that they have. */
function keepParties(record: OrderRecord, journeys: MovedJourneys): QuoteChange {
  const directions = journeys.map(({ direction }) => direction);
  // The order has the plate of the vehicle that was changed last, which may be that of the other journey.
  const plate = listActiveLines(record, directions).find((line) => line.plate !== null)?.plate;
  return {
    journeys: journeys.map((journey) => ({ ...journey, ...readParty(record, journey.direction) })),
    ...(plate ? { plate } : {}),
  };
}

/** @throws {ApiError} change_not_allowed if the order has no such journey */
function readParty(
  record: OrderRecord,
  direction: Direction,
): Pick<ChangedJourney, 'passengers' | 'vehicle' | 'bicycles'> {
  // Each boat of a journey has the same party.
  const lines = listActiveLines(record, [direction]).filter(({ leg }) => leg === direction);
  if (lines.length === 0) throw new ApiError('change_not_allowed');
  const passengers = new Map<string, number>();
  for (const { kind, typeCode, quantity } of lines) {
    if (kind !== 'passenger' || typeCode === null) continue;
    passengers.set(typeCode, (passengers.get(typeCode) ?? 0) + quantity);
  }
  const vehicleLine = lines.find(({ kind }) => kind === 'vehicle');
  return {
    passengers: [...passengers].map(([type, count]) => ({ type, count })),
    vehicle: vehicleLine ? (vehicleLine.vehicle ?? record.order.vehicle) : null,
    bicycles: lines.reduce((sum, { kind, quantity }) => (kind === 'bicycle' ? sum + quantity : sum), 0),
  };
}

const DEPARTURES = { out: 'out_departure', back: 'back_departure' } as const;

/** When the journeys departed before, and depart now. */
async function describeChange(
  tx: Database,
  {
    record,
    journeys,
    sums: { fee, difference },
  }: { record: OrderRecord; journeys: MovedJourneys; sums: Pick<OrderChangeRow, 'fee' | 'difference'> },
): Promise<Pick<AuditEntry, 'before' | 'after'>> {
  const boats = await findTimetable(
    tx,
    journeys.flatMap(({ sailing_ids: ids }) => ids),
  );
  const starts = findJourneyStarts(record.legs);
  const before: Record<string, string | null> = {};
  const after: Record<string, string | number | null> = { fee, difference };
  for (const {
    direction,
    sailing_ids: [first],
  } of journeys) {
    const booked = starts.find(({ leg }) => getDirection(leg) === direction);
    before[DEPARTURES[direction]] = describeDeparture(booked?.sailing);
    after[DEPARTURES[direction]] = describeDeparture(boats.find(({ id }) => id === first));
  }
  return { before, after };
}

/** Local day and time, "2026-06-05 09:30" */
function describeDeparture(sailing: TimetableRecord | undefined): string | null {
  if (!sailing) return null;
  const { departsAt, origin } = sailing;
  return formatLocalTime(departsAt.getTime(), origin.timeZone).slice(0, 16).replace('T', ' ');
}
