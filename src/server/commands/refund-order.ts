import { formatMoney } from '#domain/format/money.ts';
import { COMMAND_LANGUAGE } from '#messages/text-locale.ts';
import {
  previewRefund,
  type RefundInput,
  type RefundResult,
  type RefundScope,
  refundOrder,
} from '../orders/pay/refund-order.ts';
import { type Command, readArguments, readCommandActor, UsageError } from './command.ts';
import { runCommand } from './run-command.ts';

const usage = `Cancels an order, or some of its tickets, and refunds it in full, on the database the environment names.

  npm run orders:refund -- REFERENCE [--tickets CODES | --amount AMOUNT | --only-failed] [--to-trip-card NUMBER]
      Shows what would be canceled and given back, and changes nothing. Each payment is refunded to the card it came
      from, in the proportion paid, or all of it to one trip card. For a canceled order, only refunds that failed are
      repeated.

      --tickets      cancels only the tickets with these boarding codes, separated by commas
      --amount       cancels nothing and refunds an amount, such as 12.50
      --only-failed  cancels nothing and only repeats failed refunds, of a second payment for instance

  npm run orders:refund -- (the same) --reason TEXT --confirm NUMBER
      Does it. The preview prints NUMBER, which is used up by any change of the order, so that a repeated command
      refunds nothing twice. The audit log says who did it.
`;

type RefundCommandInput = RefundInput & { isConfirmed: boolean };

export const refundCommand: Command<RefundCommandInput> = {
  name: 'orders:refund',
  usage,
  read: readRefundArguments,
  async run(context, { isConfirmed, ...input }) {
    if (isConfirmed) return describeRefund(await refundOrder(context, input));
    const { result, version } = await previewRefund(context, input);
    return [
      'Nothing is changed yet. This would be the result:',
      describeRefund(result),
      `To do it, repeat the command with --reason TEXT --confirm ${version}.`,
    ].join('\n');
  },
};

function readRefundArguments(args: readonly string[]): RefundCommandInput {
  const { values, positionals } = readArguments(args, {
    'to-trip-card': { type: 'string' },
    'only-failed': { type: 'boolean' },
    tickets: { type: 'string' },
    amount: { type: 'string' },
    reason: { type: 'string' },
    confirm: { type: 'string' },
  });
  const [reference, ...rest] = positionals;
  if (!reference || rest.length > 0) throw new UsageError('Name the reference of one order.');
  const { tickets, amount, reason, confirm, 'only-failed': isOnlyFailed } = values;
  const scopes: RefundScope[] = [
    ...(tickets === undefined ? [] : [{ kind: 'tickets' as const, boardingCodes: tickets.split(',') }]),
    ...(amount === undefined ? [] : [{ kind: 'amount' as const, amount }]),
    ...(isOnlyFailed ? [{ kind: 'failed' as const }] : []),
  ];
  if (scopes.length > 1) throw new UsageError('Use only one of --tickets, --amount and --only-failed.');
  const scope = scopes[0] ?? { kind: 'all' };
  const toTripCard = values['to-trip-card'] ?? null;
  const input = { reference, toTripCard, scope, actor: readCommandActor() };
  if (confirm === undefined) return { ...input, isConfirmed: false };
  if (!/^\d{1,9}$/.test(confirm)) throw new UsageError('--confirm is the number that the preview prints.');
  if (!reason?.trim()) throw new UsageError('Say why with --reason TEXT.');
  return {
    ...input,
    note: reason.trim(),
    version: Number(confirm),
    isConfirmed: true,
  };
}

/** The operator's report of an order's refund: what was done, and the state of each part. */
export function describeRefund({ order, refunds, done }: RefundResult): string {
  const lines = refunds.map(({ amount, tripCardId, status, providerReference }) => {
    const money = formatMoney(amount, order.currency, COMMAND_LANGUAGE);
    if (tripCardId !== null) return `${money} put on the trip card.`;
    if (status === 'awaiting_payout') return `${money} to be paid out at the ticket booth.`;
    if (status === 'succeeded' && providerReference === null) return `${money} paid out at the ticket booth.`;
    return `${money} back to the payment card: ${STATUS_LABELS[status]}.`;
  });
  return [`Order ${order.reference} ${DONE[done]}.`, ...lines].join('\n');
}

const DONE: Readonly<Record<RefundResult['done'], string>> = {
  canceled: 'is canceled',
  partly_canceled: 'is canceled in part',
  amount: 'is as it was; a part of the money is given back',
  given_back_again: 'is as it was; what had failed is given back again',
  nothing: 'is as it was; nothing was left to be given back',
};

const STATUS_LABELS = {
  requested: 'requested',
  pending: 'on its way',
  succeeded: 'done',
  failed: 'failed',
} as const;

if (import.meta.main) await runCommand(refundCommand);
