import type { PreviewRefund, RefundPreview, RefundStaffOrder } from '#contract/desk/refunds/schemas.ts';
import type { RefundScope } from '#contract/desk/refunds/scope.ts';
import { toDecimal } from '#domain/fares/money.ts';
import type { StaffActor } from '#server/audit/record-audit.ts';
import type { Context } from '#server/context.ts';
import type { OrderRow, RefundRow } from '#server/database/schema/sales.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError } from '#server/http/api-error.ts';
import { wakeMailWorker } from '#server/mail/outbox.ts';
import { presentDestinations } from '#server/orders/cancel/destinations.ts';
import {
  previewRefund,
  type RefundInput,
  RefundRefused,
  type RefundResult,
  refundInTransaction,
} from '#server/orders/pay/refund-order.ts';
import { presentTickets } from '#server/orders/presenter.ts';
import type { OrderRecord } from '#server/orders/queries.ts';
import { getRefundLimit } from '../refund-limit.ts';

type Refunded = { record: OrderRecord; actor: StaffActor };

/**
 * What a refund beyond the fare's rules would do; nothing is changed.
 * @throws {ApiError} refund_refused
 */
export async function previewStaffRefund(
  context: Context,
  { record, refund, actor, language }: Refunded & { refund: PreviewRefund; language: string },
): Promise<RefundPreview> {
  const { order } = record;
  const { result, version } = await previewRefund(context, toRefundInput(order, { ...refund, actor }));
  requireRefund(result);
  const canceled = new Set(result.canceled.map(({ id }) => id));
  const tickets = presentTickets(record, { now: context.clock.now(), language });
  return {
    version,
    tickets: tickets
      .filter(({ id }) => canceled.has(id))
      .map(({ id, title, traveler_name: name }) => ({ ticket_id: id, title, traveler_name: name ?? null })),
    amount: sumAmounts(result.added),
    currency: order.currency,
    destinations:
      refund.trip_card === null ? listOrigins(record, result) : listTripCard(record, refund, result),
    needs_approval: isAboveLimit(context, result),
    limit: getRefundLimit(context, order.currency),
  };
}

/**
 * Refunds an order beyond its fare's rules, up to what one person may.
 * @throws {ApiError} refund_refused, refund_needs_approval
 */
export async function refundByStaff(
  context: Context,
  { record, refund, actor }: Refunded & { refund: RefundStaffOrder },
): Promise<void> {
  const input = toRefundInput(record.order, { ...refund, actor });
  const result = await inTransaction(context.db, async (tx) => {
    const made = await refundInTransaction(tx, context, input);
    requireRefund(made);
    if (isAboveLimit(context, made)) throw new ApiError('refund_needs_approval');
    return made;
  });
  await startRefunds(context, result);
}

/** @throws {RefundRefused} if nothing would happen: no refund has failed */
function requireRefund({ done }: RefundResult): void {
  if (done === 'nothing') throw new RefundRefused({ reason: 'nothing_to_repeat' });
}

/** After the commit: has refunds to payment cards requested, and the buyer told. */
export async function startRefunds(context: Context, { added }: RefundResult): Promise<void> {
  wakeMailWorker(context.jobs);
  for (const { id, status } of added) {
    if (status === 'requested') await context.jobs.send('refund', { refund_id: id });
  }
}

type Asked = { scope: RefundScope; trip_card: string | null; reason?: string; version?: number };

/** A refund as the operator's command makes it. */
export function toRefundInput(
  { reference, currency }: OrderRow,
  { scope, trip_card: toTripCard, reason, version, actor }: Asked & { actor: StaffActor },
): RefundInput {
  return {
    ...{ reference, toTripCard, actor },
    scope: toScope(scope, currency),
    ...(reason === undefined ? {} : { note: reason }),
    ...(version === undefined ? {} : { version }),
  };
}

function toScope(scope: RefundScope, currency: string): RefundInput['scope'] & object {
  switch (scope.kind) {
    case 'tickets':
      return { kind: 'tickets', boardingCodes: scope.boarding_codes };
    case 'amount':
      return { kind: 'amount', amount: toDecimal(scope.amount, currency) };
    default:
      return scope;
  }
}

export function sumAmounts(refunds: readonly Pick<RefundRow, 'amount'>[]): number {
  return refunds.reduce((sum, { amount }) => sum + amount, 0);
}

/** What was refunded of an order beyond its fare's rules: refunds that have a reason. */
export function sumBeyondRules(refunds: readonly Pick<RefundRow, 'amount' | 'note' | 'status'>[]): number {
  return sumAmounts(refunds.filter(({ note, status }) => note !== null && status !== 'failed'));
}

/** Whether the refunds of an order beyond its rules are more than one person may make. */
function isAboveLimit(context: Pick<Context, 'config'>, { order, refunds, added }: RefundResult): boolean {
  const before = refunds.filter((refund) => !added.includes(refund));
  const sum = sumBeyondRules(before) + sumAmounts(added);
  return added.length > 0 && sum > getRefundLimit(context, order.currency);
}

function listOrigins(record: OrderRecord, { added }: RefundResult): RefundPreview['destinations'] {
  const parts = added.map(({ paymentId: id, amount, trips }) => ({
    ...{ id, amount },
    ...(trips === null ? {} : { trips: trips.length }),
  }));
  return presentDestinations(record, { parts, isOwner: true });
}

/** Trips go back to their pass even then. */
function listTripCard(
  record: OrderRecord,
  { trip_card: number }: PreviewRefund,
  { added, ...result }: RefundResult,
): RefundPreview['destinations'] {
  const trips = added.filter((refund) => refund.trips !== null);
  const money = sumAmounts(added.filter((refund) => refund.trips === null));
  const card = { destination: 'trip_card' as const, network: null, last_four: number?.slice(-4) ?? null };
  return [
    ...listOrigins(record, { ...result, added: trips }),
    ...(money > 0 ? [{ ...card, amount: money }] : []),
  ];
}
