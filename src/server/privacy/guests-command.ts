import { userInfo } from 'node:os';
import { type Command, type CommandContext, readArguments, UsageError } from '../command.ts';
import { formatCsv, formatTable } from '../csv/format-table.ts';
import { runCommand } from '../run-command.ts';
import { eraseGuest, exportGuest, GuestRefused } from './guests.ts';
import { listPrivacyActs } from './privacy-log.ts';

const usage = `Exports or erases the data of a person who bought without an account, in the configured database.

  npm run guests -- export EMAIL
      Prints everything stored about the address as JSON.

  npm run guests -- erase EMAIL
      Removes contact, names and plates from all orders of the address, and its mails. Sums, tickets and the ledger stay.
      Refused while one of the orders has a sailing that is not over, or an open payment, refund, change or choice.

  npm run guests -- log [--csv]
      Lists all exports and erasures: when, what, by whom, and of how many orders.
`;

type GuestsInput =
  | { kind: 'export' | 'erase'; email: string; actor: string }
  | { kind: 'log'; asCsv: boolean };

export const guestsCommand: Command<GuestsInput> = {
  name: 'guests',
  usage,
  refusals: [GuestRefused],
  read: readGuestsArguments,
  run: runGuestsCommand,
};

if (import.meta.main) await runCommand(guestsCommand);

function readGuestsArguments(args: readonly string[]): GuestsInput {
  const { values, positionals } = readArguments(args, { csv: { type: 'boolean' } });
  const [kind, email, ...rest] = positionals;
  if (kind === 'log' && email === undefined) return { kind, asCsv: values.csv === true };
  if ((kind !== 'export' && kind !== 'erase') || !email?.includes('@') || rest.length > 0) {
    throw new UsageError('Name what to do and one e-mail address.');
  }
  return { kind, email, actor: userInfo().username };
}

async function runGuestsCommand(context: CommandContext, input: GuestsInput): Promise<string> {
  switch (input.kind) {
    case 'export':
      return JSON.stringify(await exportGuest(context, input), null, 2);
    case 'erase': {
      const count = await eraseGuest(context, input);
      return `Erased: the person's data in ${count} ${count === 1 ? 'order' : 'orders'}, and the mails to the address.`;
    }
    case 'log': {
      const acts = await listPrivacyActs(context.db);
      return input.asCsv ? formatCsv(acts) : formatTable(acts);
    }
  }
}
