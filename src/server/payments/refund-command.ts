import { type Command, readArguments, UsageError } from '../command.ts';
import { runCommand } from '../run-command.ts';
import { type RefundInput, RefundRefused, refundOrder } from './refund-order.ts';
import { describeRefund } from './refund-report.ts';

const usage = `Cancels a confirmed order and gives its money back, on the database the environment names.

  npm run orders:refund -- REFERENCE [--to-trip-card NUMBER] [--only-failed]
      Each part goes to where it came from, or all of it to one trip card. Said again it gives back what no bank
      had taken, and otherwise changes nothing. With --only-failed the order is not canceled: only what failed is
      given back again, a second payment of the order for instance.
`;

export const refundCommand: Command<RefundInput> = {
  name: 'orders:refund',
  usage,
  refusals: [RefundRefused],
  read: readRefundArguments,
  run: async (context, wish) => describeRefund(await refundOrder(context, wish)),
};

if (import.meta.main) await runCommand(refundCommand);

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
