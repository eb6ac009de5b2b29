import type { Stripe } from 'stripe';
import { nulls, type Stored } from '../records.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { recordTransaction } from './balance.ts';
import { type Route, retrieveRoute } from './call.ts';
import { listRoute } from './lists.ts';

export const payoutRoutes: Route[] = [
  listRoute('payout', ['status', 'destination']),
  retrieveRoute('payout'),
];

const DAY = 86_400;
/** Milliseconds until a payout that people start arrives, and until a bank returns it. */
const SOON = 3000;

export type PayoutInput = {
  /** Also what becomes available later, and arriving now instead of the next day. */
  isAtOnce: boolean;
  /** The bank returns it after it was reported as paid. */
  isReturned?: boolean;
};

/** Sends the balance to the bank account: an automatic payout for each currency that has any. */
export async function createPayouts(unit: UnitOfWork, input: PayoutInput): Promise<void> {
  const due = (await unit.findUnpaidTransactions()).filter(
    ({ doc }) => input.isAtOnce || doc.available_on <= unit.seconds,
  );
  for (const currency of new Set(due.map(({ doc }) => doc.currency))) {
    createPayout(
      unit,
      due.filter(({ doc }) => doc.currency === currency),
      { currency, ...input },
    );
  }
}

function createPayout(
  unit: UnitOfWork,
  transactions: readonly Stored<'balance_transaction'>[],
  { currency, isAtOnce, isReturned = false }: PayoutInput & { currency: string },
): void {
  const amount = transactions.reduce((sum, { doc }) => sum + doc.net, 0);
  if (amount <= 0) return;
  const today = unit.seconds - (unit.seconds % DAY);
  const id = unit.id('po_');
  const own = recordTransaction(
    unit,
    { type: 'payout', category: 'payout', amount: -amount, fee: 0, currency, source: id },
    id,
  );
  const doc: Stripe.Payout = {
    id,
    object: 'payout',
    amount,
    arrival_date: isAtOnce ? today : today + DAY,
    automatic: true,
    balance_transaction: own.id,
    created: unit.seconds,
    currency,
    description: 'STRIPE PAYOUT',
    destination: 'ba_sandbox',
    livemode: false,
    metadata: {},
    method: 'standard',
    reconciliation_status: 'in_progress',
    source_type: 'card',
    status: 'in_transit',
    trace_id: { status: 'pending', value: null },
    type: 'bank_account',
    ...nulls('application_fee', 'application_fee_amount', 'failure_balance_transaction', 'failure_code'),
    ...nulls('failure_message', 'original_payout', 'payout_method', 'reversed_by', 'statement_descriptor'),
  };
  const payout = unit.create('payout', doc, isReturned ? { isReturned } : {});
  payout.wakeAt = isAtOnce ? unit.now + SOON : doc.arrival_date * 1000;
  for (const transaction of transactions) markPaidOut(unit, transaction, id);
  unit.emit('payout.created', doc);
}

function markPaidOut(unit: UnitOfWork, transaction: Stored<'balance_transaction'>, payout: string): void {
  transaction.secret.payout = payout;
  transaction.doc.status = 'available';
  unit.save(transaction);
}

/** A payout arrives, or comes back. A bank may return one that was reported as paid. */
export function settlePayout(unit: UnitOfWork, payout: Stored<'payout'>): void {
  const { doc, secret } = payout;
  payout.wakeAt = null;
  unit.save(payout);
  if (doc.status === 'in_transit') {
    doc.status = 'paid';
    doc.reconciliation_status = 'completed';
    unit.emit('payout.reconciliation_completed', doc);
    unit.emit('payout.paid', doc);
    if (secret.isReturned) payout.wakeAt = unit.now + SOON;
    return;
  }
  doc.status = 'failed';
  doc.failure_code = 'account_closed';
  doc.failure_message = 'The bank account has been closed';
  doc.failure_balance_transaction = recordTransaction(unit, {
    ...{ type: 'payout_failure', category: 'payout_reversal', amount: doc.amount, fee: 0 },
    ...{ currency: doc.currency, source: doc.id },
  }).id;
  unit.emit('payout.failed', doc);
}
