import type { CommandContext } from '../context.ts';
import { formatCsv, formatTable } from '../csv/format-table.ts';
import { listUnknownPayments, PaymentRefused, refundUnknownPayment } from '../operations/unknown-payments.ts';
import { type Command, readArguments, UsageError } from './command.ts';
import { runCommand } from './run-command.ts';

const usage = `Finds payments that the card provider has and the database has not, as after a restore, and refunds them.

  npm run payments -- unknown --since TIME [--csv]
      Lists them, with what they were for and the buyer's address where the card provider has it. TIME is that of the
      backup, such as 2026-06-01 or 2026-06-01T02:00:00Z.

  npm run payments -- refund PAYMENT
      Refunds one of them in full to the card that paid.
`;

type PaymentsInput = { kind: 'unknown'; since: Date; asCsv: boolean } | { kind: 'refund'; id: string };

export const paymentsCommand: Command<PaymentsInput> = {
  name: 'payments',
  usage,
  refusals: [PaymentRefused],
  read: readPaymentsArguments,
  run: runPaymentsCommand,
};

if (import.meta.main) await runCommand(paymentsCommand);

function readPaymentsArguments(args: readonly string[]): PaymentsInput {
  const { values, positionals } = readArguments(args, {
    since: { type: 'string' },
    csv: { type: 'boolean' },
  });
  const [kind, id, ...rest] = positionals;
  if (kind === 'refund' && id !== undefined && rest.length === 0) return { kind, id };
  const since = new Date(values.since ?? '');
  if (kind !== 'unknown' || id !== undefined || Number.isNaN(since.getTime())) {
    throw new UsageError('Name what to do, and the time of the backup or one payment.');
  }
  return { kind, since, asCsv: values.csv === true };
}

async function runPaymentsCommand(context: CommandContext, input: PaymentsInput): Promise<string> {
  if (input.kind === 'refund') {
    return `${await refundUnknownPayment(context, input.id)} back to the card. Tell the buyer.`;
  }
  const unknown = await listUnknownPayments(context, input.since);
  if (input.asCsv) return formatCsv(unknown);
  if (unknown.rows.length === 0) return 'Every payment since then is known.';
  return `${formatTable(unknown)}\n\nRefund each with npm run payments -- refund PAYMENT, and tell its buyer to book again.`;
}
