import type { Stripe } from 'stripe';
import { readText } from '../parameters.ts';
import type { Dispute } from '../records.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { ok, type Route, requireNamed, retrieveRoute } from './call.ts';
import { listObjects, listParameters } from './lists.ts';

type Transaction = Stripe.BalanceTransaction;

export const balanceRoutes: Route[] = [
  {
    method: 'GET',
    path: '/v1/balance_transactions',
    allowedParameters: [...listParameters, 'currency', 'payout', 'source', 'type'],
    async run(call) {
      const [currency = null, payout = null, source = null, type = null] = [
        'currency',
        'payout',
        'source',
        'type',
      ].map((name) => readText(call.parameters, name));
      if (payout !== null) await requireNamed(call, 'payout', payout, 'payout');
      const equals = { currency, source, type };
      return listObjects(call, 'balance_transaction', '/v1/balance_transactions', equals, { payout });
    },
  },
  retrieveRoute('balance_transaction'),
  {
    method: 'GET',
    path: '/v1/balance',
    allowedParameters: [],
    async run({ unit, store }) {
      const sums = await store.query<{ currency: string; available: number; pending: number }>(
        `select doc->>'currency' as currency,
           sum((doc->>'net')::double precision) filter (where (doc->>'available_on')::double precision <= $1) as available,
           sum((doc->>'net')::double precision) filter (where (doc->>'available_on')::double precision > $1) as pending
         from sandbox.objects where object = 'balance_transaction' group by 1 order by 1`,
        [unit.seconds],
      );
      const list = (name: 'available' | 'pending') =>
        sums.map((sum) => ({ amount: sum[name] ?? 0, currency: sum.currency }));
      return ok({
        object: 'balance',
        available: list('available'),
        livemode: false,
        pending: list('pending'),
      });
    },
  },
];

/** Days until the money of a payment is paid out. */
const AVAILABLE_AFTER = 2 * 86_400;
/** What a dispute costs, in units of the currency. */
const DISPUTE_FEE = 1500;

type Input = {
  type: 'charge' | 'refund' | 'refund_failure' | 'adjustment' | 'payout' | 'payout_failure';
  amount: number;
  fee: number;
  currency: string;
  source: string;
  category: string;
};

/** Records what a charge, a refund or a refund that the bank returned does to the balance. */
export function createTransaction(
  unit: UnitOfWork,
  type: 'charge' | 'refund' | 'refund_failure',
  amount: number,
  currency: string,
  source: string,
): string {
  // Charges cost 1.5 % and 25 minor units.
  const fee = type === 'charge' ? Math.round(amount * 0.015) + 25 : 0;
  return recordTransaction(unit, { type, amount, fee, currency, source, category: type }).id;
}

/** The bank takes the disputed amount, and the provider its fee. */
export function takeDisputed(unit: UnitOfWork, dispute: Dispute): void {
  recordDispute(unit, dispute, { amount: -dispute.amount, fee: DISPUTE_FEE, category: 'dispute' });
}

/** The bank gives a disputed amount back. The fee stays. */
export function returnDisputed(unit: UnitOfWork, dispute: Dispute): void {
  recordDispute(unit, dispute, { amount: dispute.amount, fee: 0, category: 'dispute_reversal' });
}

function recordDispute(
  unit: UnitOfWork,
  dispute: Dispute,
  change: Pick<Input, 'amount' | 'fee' | 'category'>,
): void {
  const { id: source, currency } = dispute;
  dispute.balance_transactions.push(
    recordTransaction(unit, { type: 'adjustment', currency, source, ...change }),
  );
}

/** @param payout the one that it is in already */
export function recordTransaction(unit: UnitOfWork, input: Input, payout?: string): Transaction {
  const { type, amount, fee, currency, source, category } = input;
  const isPayout = type === 'payout' || type === 'payout_failure';
  const doc: Transaction = {
    id: unit.id('txn_'),
    object: 'balance_transaction',
    amount,
    available_on: isPayout ? unit.seconds : unit.seconds + AVAILABLE_AFTER,
    balance_type: 'payments',
    created: unit.seconds,
    currency,
    description: null,
    exchange_rate: null,
    fee,
    fee_details: fee > 0 ? [describeFee(fee, currency)] : [],
    net: amount - fee,
    reporting_category: category,
    source,
    status: isPayout ? 'available' : 'pending',
    type,
  };
  unit.create('balance_transaction', doc, payout === undefined ? {} : { payout });
  return doc;
}

function describeFee(amount: number, currency: string): Stripe.BalanceTransaction.FeeDetail {
  return { amount, application: null, currency, description: 'Stripe processing fees', type: 'stripe_fee' };
}
