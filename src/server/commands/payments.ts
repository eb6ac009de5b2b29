import { toDecimal } from '#domain/fares/money.ts';
import type { AuditActor } from '../audit/record-audit.ts';
import type { CommandContext } from '../context.ts';
import { formatCsv, formatTable, type Table } from '../csv/format-table.ts';
import { listUnknownPayments, PaymentRefused, refundUnknownPayment } from '../operations/unknown-payments.ts';
import { listDueRefunds, PayoutRefused, payOutRefund } from '../orders/pay/pay-out-refund.ts';
import { type Command, readArguments, readCommandActor, UsageError } from './command.ts';
import { runCommand } from './run-command.ts';

const usage = `Lists and settles what no order screen shows: payments that only the card provider has, and refunds to be paid out.

  npm run payments -- unknown --since TIME [--csv]
      Lists payments that the card provider has and the database has not, as after a restore, with what they were for and
      the buyer's address where the card provider has it. TIME is that of the backup, such as 2026-06-01 or
      2026-06-01T02:00:00Z.

  npm run payments -- refund PAYMENT
      Refunds one of them in full to the card that paid.

  npm run payments -- due [--csv]
      Lists refunds of cash and of card payments at the counter, which the office has to pay out.

  npm run payments -- paid-out REFUND [--reference TEXT]
      Notes that one of them was paid out: in cash, or with --reference by the card terminal whose receipt has that text.
      The audit log says who did it.
`;

type PaymentsInput =
  | { kind: 'unknown'; since: Date; asCsv: boolean }
  | { kind: 'refund'; id: string }
  | { kind: 'due'; asCsv: boolean }
  | { kind: 'paid-out'; id: string; reference: string | null; actor: AuditActor };

export const paymentsCommand: Command<PaymentsInput> = {
  name: 'payments',
  usage,
  refusals: [PaymentRefused, PayoutRefused],
  read: readPaymentsArguments,
  run: runPaymentsCommand,
};

if (import.meta.main) await runCommand(paymentsCommand);

function readPaymentsArguments(args: readonly string[]): PaymentsInput {
  const { values, positionals } = readArguments(args, {
    since: { type: 'string' },
    csv: { type: 'boolean' },
    reference: { type: 'string' },
  });
  const [kind, id, ...rest] = positionals;
  const asCsv = values.csv === true;
  if (rest.length === 0 && id !== undefined) {
    if (kind === 'refund') return { kind, id };
    if (kind === 'paid-out') {
      return { kind, id, reference: values.reference?.trim() || null, actor: readCommandActor() };
    }
  }
  if (kind === 'due' && id === undefined) return { kind, asCsv };
  const since = new Date(values.since ?? '');
  if (kind !== 'unknown' || id !== undefined || Number.isNaN(since.getTime())) {
    throw new UsageError('Name what to do, and the time of the backup, one payment or one refund.');
  }
  return { kind, since, asCsv };
}

async function runPaymentsCommand(context: CommandContext, input: PaymentsInput): Promise<string> {
  switch (input.kind) {
    case 'refund':
      return `${await refundUnknownPayment(context, input.id)} back to the card. Tell the buyer.`;
    case 'paid-out':
      await payOutRefund(context, {
        ...{ refundId: input.id, actor: input.actor, terminalReference: input.reference },
      });
      return 'Noted.';
    case 'due':
      return printList(await tabulateDueRefunds(context), {
        ...input,
        ifEmpty: 'Nothing is to be paid out.',
        advice: 'Note each with npm run payments -- paid-out REFUND when its buyer has the money.',
      });
    case 'unknown':
      return printList(await listUnknownPayments(context, input.since), {
        ...input,
        ifEmpty: 'Every payment since then is known.',
        advice: 'Refund each with npm run payments -- refund PAYMENT, and tell its buyer to book again.',
      });
  }
}

function printList(
  table: Table,
  { asCsv, ifEmpty, advice }: { asCsv: boolean; ifEmpty: string; advice: string },
): string {
  if (asCsv) return formatCsv(table);
  return table.rows.length === 0 ? ifEmpty : `${formatTable(table)}\n\n${advice}`;
}

async function tabulateDueRefunds({ db }: CommandContext): Promise<Table> {
  const due = await listDueRefunds(db);
  return {
    columns: ['refund', 'since', 'order', 'amount', 'currency', 'reason'],
    rows: due.map(({ id, insertedAt, reference, amount, currency, reason }) => [
      id,
      insertedAt.toISOString(),
      reference,
      toDecimal(amount, currency),
      currency,
      reason,
    ]),
  };
}
