import { formatMoney } from '#domain/fares/money.ts';
import { type Command, readArguments, UsageError } from '../command.ts';
import { runCommand } from '../run-command.ts';
import { type RefundInput, RefundRefused, type RefundResult, refundOrder } from './refund-order.ts';

const usage = `Cancels a confirmed order and refunds it, on the database the environment names.

  npm run orders:refund -- REFERENCE [--to-trip-card NUMBER] [--only-failed]
      Each payment is refunded to the card it came from, or all of them to one trip card. Repeated, it retries the
      refunds that failed and changes nothing else. With --only-failed the order is not canceled: only failed refunds
      are repeated, of a second payment for instance.
`;

export const refundCommand: Command<RefundInput> = {
  name: 'orders:refund',
  usage,
  refusals: [RefundRefused],
  read: readRefundArguments,
  run: async (context, input) => describeRefund(await refundOrder(context, input)),
};

function readRefundArguments(args: readonly string[]): RefundInput {
  const { values, positionals } = readArguments(args, {
    'to-trip-card': { type: 'string' },
    'only-failed': { type: 'boolean' },
  });
  const [reference, ...rest] = positionals;
  if (!reference || rest.length > 0) throw new UsageError('Name the reference of one order.');
  const isOnlyFailed = values['only-failed'] ?? false;
  return { reference, toTripCard: values['to-trip-card'] ?? null, isOnlyFailed };
}

/** The operator's report of an order's refund: what was done, and the state of each part. */
export function describeRefund({ order, refunds, done }: RefundResult): string {
  const lines = refunds.map(({ amount, tripCardId, status }) => {
    const money = formatMoney(amount, order.currency);
    if (tripCardId !== null) return `${money} put on the trip card.`;
    return `${money} back to the payment card: ${STATUS_LABELS[status]}.`;
  });
  return [`Order ${order.reference} ${DONE[done]}.`, ...lines].join('\n');
}

const DONE: Readonly<Record<RefundResult['done'], string>> = {
  cancelled: 'is canceled',
  given_back_again: 'is as it was; what had failed is given back again',
  nothing: 'is as it was; nothing was left to be given back',
};

const STATUS_LABELS: Readonly<Record<RefundResult['refunds'][number]['status'], string>> = {
  requested: 'requested',
  pending: 'on its way',
  succeeded: 'done',
  failed: 'failed',
};

if (import.meta.main) await runCommand(refundCommand);
