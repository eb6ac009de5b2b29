import { parseArgs } from 'node:util';
import { systemClock } from '../clock.ts';
import { ConfigError, readConfig } from '../config.ts';
import { openDatabase } from '../database/database.ts';
import { FolderInUseError } from '../database/folder-lock.ts';
import { loadAppSecret } from '../secrets.ts';
import { createVault } from '../vault.ts';
import { RefundRefused, type RefundWish, refundOrder } from './refund-order.ts';
import { describeRefund } from './refund-report.ts';

const USAGE = `Cancels a confirmed order and gives its money back, on the database the environment names.

  npm run orders:refund -- REFERENCE [--to-trip-card NUMBER] [--only-failed]
      Each part goes to where it came from, or all of it to one trip card. Said again it gives back what no bank
      had taken, and otherwise changes nothing. With --only-failed the order is not canceled: only what failed is
      given back again, a second payment of the order for instance.
`;

class UsageError extends Error {}

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  try {
    const wish = readWish(args);
    const config = readConfig();
    const database = await openDatabase({ url: config.databaseUrl, folder: config.dataDir });
    try {
      const { db } = database;
      const vault = createVault(await loadAppSecret(db, config.appSecret));
      process.stdout.write(describeRefund(await refundOrder({ db, clock: systemClock, vault }, wish)));
    } finally {
      await database.close();
    }
    return 0;
  } catch (error) {
    if (error instanceof UsageError) process.stderr.write(`${error.message}\n\n${USAGE}`);
    else if (isSaid(error)) process.stderr.write(`${error.message}\n`);
    else throw error;
    return 1;
  }
}

function readWish(args: readonly string[]): RefundWish {
  try {
    const options = { 'to-trip-card': { type: 'string' }, 'only-failed': { type: 'boolean' } } as const;
    const { values, positionals } = parseArgs({ args: [...args], allowPositionals: true, options });
    const [reference, ...rest] = positionals;
    if (!reference || rest.length > 0) throw new Error('Name the reference of one order.');
    const isOnlyFailed = values['only-failed'] ?? false;
    return { reference, toTripCard: values['to-trip-card'] ?? null, isOnlyFailed };
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function isSaid(error: unknown): error is Error {
  return error instanceof RefundRefused || error instanceof ConfigError || error instanceof FolderInUseError;
}
