import type { AuditActor } from '../audit/record-audit.ts';
import type { CommandContext } from '../context.ts';
import { formatCsv, formatTable } from '../csv/format-table.ts';
import { erasePerson, exportPerson } from '../privacy/answer-request.ts';
import { listPrivacyActs } from '../privacy/privacy-log.ts';
import { type Command, readArguments, readCommandActor, UsageError } from './command.ts';
import { runCommand } from './run-command.ts';

const usage = `Exports or erases the data of a person, with or without an account, in the configured database.

  npm run privacy -- export EMAIL
      Prints everything stored about the address, and about its account, as JSON. The owner of an account gets a mail.

  npm run privacy -- erase EMAIL
      Removes contact, names and plates from all orders of the address, its mails, and its account. Sums, tickets and the
      ledger stay. Refused while one of the orders has a sailing that is not over, or an open payment, refund, change or
      choice, and while a trip card of the account holds value.

  npm run privacy -- log [--csv]
      Lists all exports and erasures: when, what, by whom, and of how many orders.
`;

type PersonInput = { email: string; actor: AuditActor; reason: null };
type PrivacyInput = ({ kind: 'export' | 'erase' } & PersonInput) | { kind: 'log'; asCsv: boolean };

export const privacyCommand: Command<PrivacyInput> = {
  name: 'privacy',
  usage,
  read: readPrivacyArguments,
  run: runPrivacyCommand,
};

if (import.meta.main) await runCommand(privacyCommand);

function readPrivacyArguments(args: readonly string[]): PrivacyInput {
  const { values, positionals } = readArguments(args, { csv: { type: 'boolean' } });
  const [kind, email, ...rest] = positionals;
  if (kind === 'log' && email === undefined) return { kind, asCsv: values.csv === true };
  if ((kind !== 'export' && kind !== 'erase') || !email?.includes('@') || rest.length > 0) {
    throw new UsageError('Name what to do and one e-mail address.');
  }
  return { kind, email, actor: readCommandActor(), reason: null };
}

async function runPrivacyCommand(context: CommandContext, input: PrivacyInput): Promise<string> {
  switch (input.kind) {
    case 'export':
      return JSON.stringify(await exportPerson(context, input), null, 2);
    case 'erase':
      return runErasure(context, input);
    case 'log': {
      const acts = await listPrivacyActs(context.db);
      return input.asCsv ? formatCsv(acts) : formatTable(acts);
    }
  }
}

async function runErasure(context: CommandContext, input: PersonInput): Promise<string> {
  const { hadAccount, orders, providerCustomer } = await erasePerson(context, input);
  const account = hadAccount ? 'the account, ' : '';
  const lines = [
    `Erased: ${account}the person's data in ${countOrders(orders)}, and the mails to the address.`,
    ...(await deleteAtProvider(context, providerCustomer)),
  ];
  return lines.join('\n');
}

function countOrders(count: number): string {
  return `${count} ${count === 1 ? 'order' : 'orders'}`;
}

/** @returns what remains for the operator to do */
async function deleteAtProvider({ provider }: CommandContext, id: string | null): Promise<string[]> {
  if (id === null) return [];
  const isDeleted = await provider?.deleteCustomer(id).then(
    () => true,
    () => false,
  );
  return isDeleted ? [] : [`The card provider was not reached. Delete the customer ${id} in its dashboard.`];
}
