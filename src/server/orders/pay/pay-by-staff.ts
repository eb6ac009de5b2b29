import type { StaffSale } from '#contract/payments/in-person-schemas.ts';
import type { AuditActor } from '#server/audit/record-audit.ts';
import { recordAudit } from '#server/audit/record-audit.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import type { OrderRow, PaymentRow } from '#server/database/schema/sales.ts';
import { ApiError } from '#server/http/api-error.ts';
import { type Invoicing, invoiceOrder } from '#server/invoices/invoice-order.ts';
import { fingerprintNetwork } from '#server/payments/card-testing.ts';
import { findShownCard } from '#server/trip-cards/queries.ts';
import { spendInPerson } from '#server/trip-cards/spend.ts';
import { buildFareEntry, insertPayment } from './payment-records.ts';

/** The person who takes or pays out money. */
export type Cashier = Extract<AuditActor, { kind: 'staff' }>;

/**
 * How people pay in person. `terminal`: with a card at a terminal of another system, whose receipt has the reference.
 * `coverage`: what trips of a pass pay for; null: the trip card pays with money. `invoice`: the recipient pays later.
 */
export type StaffPayment =
  | { method: 'cash' }
  | { method: 'terminal'; reference: string }
  | { method: 'trip_card'; cardId: string; coverage: PaymentRow['coverage'] }
  | ({ method: 'invoice' } & Invoicing);

/**
 * Finds the trip card of a payment in person.
 * @throws {ApiError} unknown_trip_card, also for a pass, whose trips pay no amounts, and for money of another currency
 */
export async function readStaffPayment(
  db: Database,
  payment: StaffSale,
  currency: string,
): Promise<StaffPayment> {
  if (payment.method !== 'trip_card') return payment;
  const card = await findShownCard(db, payment.card);
  if (card?.unit !== 'money' || card.currency !== currency) {
    throw new ApiError('unknown_trip_card', { field: 'payment.card' });
  }
  return { method: 'trip_card', cardId: card.id, coverage: null };
}

/**
 * Notes a payment that staff take, which counts at once and never goes to the card provider. A trip card is charged. The
 * transaction has locked the order and has sold or changed what is paid, because a trip card is locked after the places.
 * @param input amount: in minor units, positive; changeId: the change that it pays; null: the purchase
 * @throws {ApiError} of a trip card: as `spendInPerson`; of an invoice: as `invoiceOrder`
 */
export async function payByStaff(
  tx: Database,
  context: Context,
  {
    order,
    amount,
    changeId,
    payment: paidWith,
    cashier,
  }: {
    order: OrderRow;
    amount: number;
    changeId: string | null;
    payment: StaffPayment;
    cashier: Cashier;
  },
): Promise<PaymentRow> {
  const { method } = paidWith;
  const { staffId } = cashier;
  const invoice =
    method === 'invoice' ? await invoiceOrder(tx, context, { order, invoicing: paidWith, staffId }) : null;
  const payment = await insertPayment(tx, context, {
    ...{ order, method, amount, changeId, status: 'succeeded' },
    ...{ startedFrom: fingerprintNetwork(context, cashier.network), byCustomerId: null },
    ...{ staffId, staffDevice: cashier.device, invoiceId: invoice?.id ?? null },
    ...(paidWith.method === 'terminal' ? { terminalReference: paidWith.reference } : {}),
    ...(paidWith.method === 'trip_card' ? { tripCardId: paidWith.cardId, coverage: paidWith.coverage } : {}),
  });
  if (paidWith.method === 'trip_card') {
    await spendInPerson(tx, context, {
      ...{ cardId: paidWith.cardId, amount: paidWith.coverage?.length ?? amount, orderId: order.id },
      ...{ ...buildFareEntry(order, payment), place: cashier.device },
    });
  }
  await recordAudit(tx, context, {
    ...{
      actor: cashier,
      action: invoice ? 'invoice_issued' : 'payment_taken',
      objectKind: 'order',
      objectId: order.id,
    },
    ...{ before: {}, after: { method, amount }, reason: null },
  });
  return payment;
}
