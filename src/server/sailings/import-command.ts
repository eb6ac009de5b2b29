import { type Command, readArguments, UsageError } from '../command.ts';
import { runCommand } from '../run-command.ts';
import { type FeedFiles, readFeedFiles } from './feed/feed-files.ts';
import { DEFAULT_DAYS, type ImportReport, importTimetable } from './import-timetable.ts';

const usage = `Usage: npm run import -- FOLDER_OR_ZIP [--days N] [--today YYYY-MM-DD]

Imports a GTFS feed, with the operator's CSV files beside it, into the database the environment names.
  --days N            how many days ahead sailings are made (${DEFAULT_DAYS})
  --today YYYY-MM-DD  import as if it were this day, to try a feed of another season
`;

type ImportInput = { files: FeedFiles; days: number; now: Date };

export const importCommand: Command<ImportInput> = {
  name: 'import',
  usage,
  async read(args) {
    const { path, ...input } = readImportArguments(args);
    return { files: await readFeedFiles(path), ...input };
  },
  async run(context, { files, days, now }) {
    const started = performance.now();
    const report = await importTimetable(context, { files, days, now });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    return `${describeReport(report)}Done in ${seconds} s.`;
  },
};

if (import.meta.main) await runCommand(importCommand);

function readImportArguments(args: readonly string[]): { path: string } & Omit<ImportInput, 'files'> {
  const { values, positionals } = readArguments(args, {
    days: { type: 'string' },
    today: { type: 'string' },
  });
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw new UsageError('Name one folder or zip archive.');
  const days = Number(values.days ?? DEFAULT_DAYS);
  if (!Number.isInteger(days) || days < 1 || days > 400) throw new UsageError('--days is 1 to 400.');
  const now = values.today === undefined ? new Date() : new Date(`${values.today}T12:00:00Z`);
  if (Number.isNaN(now.getTime())) throw new UsageError('--today is a day, YYYY-MM-DD.');
  return { path, days, now };
}

function describeReport({ ports, routes, sailings, notified, skipped }: ImportReport): string {
  const counts = Object.entries(sailings).map(([what, count]) => `${count} ${what}`);
  const lines = [`${ports} ports, ${routes} routes. Sailings: ${counts.join(', ')}.`];
  if (notified > 0) lines.push(`${notified} orders were written to.`);
  return [...lines, ...skipped.map((sentence) => `Note: ${sentence}`), ''].join('\n');
}
