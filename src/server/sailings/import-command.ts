import { parseArgs } from 'node:util';
import { systemClock } from '../clock.ts';
import { ConfigError, readConfig } from '../config.ts';
import { openDatabase } from '../database/database.ts';
import { FolderInUseError } from '../database/folder-lock.ts';
import { readFeedFiles } from './feed/feed-files.ts';
import { describeProblem, FeedError } from './feed/problems.ts';
import { DEFAULT_DAYS, type ImportReport, importTimetable } from './import-timetable.ts';
import { tellByMail } from './tell-travellers.ts';

const USAGE = `Usage: npm run import -- FOLDER_OR_ZIP [--days N] [--today YYYY-MM-DD]

Imports a GTFS feed, with the operator's CSV files beside it, into the database the environment names.
  --days N            how many days ahead sailings are made (${DEFAULT_DAYS})
  --today YYYY-MM-DD  import as if it were this day, to try a feed of another season
`;

class UsageError extends Error {}

process.exitCode = await main(process.argv.slice(2));

async function main(args: readonly string[]): Promise<number> {
  try {
    const { path, days, now } = readArguments(args);
    const files = await readFeedFiles(path);
    const config = readConfig();
    const database = await openDatabase({ url: config.databaseUrl, folder: config.dataDir });
    try {
      const started = performance.now();
      const report = await importTimetable(database.db, files, {
        now,
        days,
        tell: tellByMail({ config, clock: systemClock }),
      });
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      process.stdout.write(`${describeReport(report)}Done in ${seconds} s.\n`);
    } finally {
      await database.close();
    }
    return 0;
  } catch (error) {
    if (error instanceof UsageError) process.stderr.write(`${error.message}\n\n${USAGE}`);
    else if (error instanceof FeedError) process.stderr.write(describeRefusal(error));
    else if (error instanceof ConfigError || error instanceof FolderInUseError)
      process.stderr.write(`${error.message}\n`);
    else throw error;
    return 1;
  }
}

function readArguments(args: readonly string[]): { path: string; days: number; now: Date } {
  const { values, positionals } = parse(args);
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw new UsageError('Name one folder or zip archive.');
  const days = Number(values.days ?? DEFAULT_DAYS);
  if (!Number.isInteger(days) || days < 1 || days > 400) throw new UsageError('--days is 1 to 400.');
  const now = values.today === undefined ? new Date() : new Date(`${values.today}T12:00:00Z`);
  if (Number.isNaN(now.getTime())) throw new UsageError('--today is a day, YYYY-MM-DD.');
  return { path, days, now };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { days: { type: 'string' }, today: { type: 'string' } },
    });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function describeReport({ ports, routes, sailings, told, skipped }: ImportReport): string {
  const counts = Object.entries(sailings).map(([what, count]) => `${count} ${what}`);
  const lines = [`${ports} ports, ${routes} routes. Sailings: ${counts.join(', ')}.`];
  if (told > 0) lines.push(`${told} orders were written to.`);
  return [...lines, ...skipped.map((sentence) => `Note: ${sentence}`), ''].join('\n');
}

function describeRefusal(error: FeedError): string {
  const left = error.count - error.problems.length;
  const rest = left > 0 ? [`… and ${left} more.`] : [];
  return [error.message, ...error.problems.map(describeProblem), ...rest, ''].join('\n');
}
