import { type RemovedDemo, removeDemo } from '../demo/remove-demo.ts';
import { type Command, readArguments, UsageError } from './command.ts';
import { runCommand } from './run-command.ts';

const usage = `Removes the demo's data from the database the environment names, all of it or none.

  npm run demo:remove
      The demo customer with payment cards, orders and tickets, the demo's trip cards with their ledger, and the demo
      timetable unless other orders are on it. Prints what was removed and what stays. Running it again changes nothing.
`;

export const removeDemoCommand: Command<null> = {
  name: 'demo:remove',
  usage,
  read(args) {
    const { positionals } = readArguments(args, {});
    if (positionals.length > 0) throw new UsageError('There is nothing to name.');
    return null;
  },
  run: async (context) => describeRemoval(await removeDemo(context)),
};

if (import.meta.main) await runCommand(removeDemoCommand);

function describeRemoval(removed: RemovedDemo): string {
  const { customers, paymentCards, orders, tickets, tripCards, entries, sailings, staff } = removed;
  const { remaining, timetable } = removed;
  const parts = [
    plural(customers, 'customer'),
    plural(paymentCards, 'payment card'),
    `${plural(orders, 'order')} with ${plural(tickets, 'ticket')}`,
    `${plural(tripCards, 'trip card')} with ${plural(entries, 'ledger entry', 'ledger entries')}`,
    ...(staff > 0 ? [plural(staff, 'staff account')] : []),
    ...(timetable === 'removed' ? [`the demo timetable with ${plural(sailings, 'sailing')}`] : []),
  ];
  const isNothing = customers + orders + tripCards + staff === 0 && timetable !== 'removed';
  return [
    isNothing ? 'There is no demo data to remove.' : `Removed: ${parts.join(', ')}.`,
    remaining.orders > 0 &&
      `Stays: ${plural(remaining.orders, 'order')}, without an owner; other trip cards paid for them.`,
    remaining.tripCards > 0 &&
      `Stays: ${plural(remaining.tripCards, 'trip card')}, without an owner; other orders or cards refer to them.`,
    timetable === 'in_use' &&
      'Stays: the demo timetable. Other orders are on its sailings, or places are being bought; import your own.',
    timetable === 'operator' && 'The timetable is your own and stays.',
  ]
    .filter(Boolean)
    .join('\n');
}

function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
