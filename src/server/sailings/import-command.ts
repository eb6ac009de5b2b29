import { type Command, readArguments, UsageError } from '../command.ts';
import { runCommand } from '../run-command.ts';
import { type FeedFiles, readFeedFiles } from './feed/feed-files.ts';
import { DEFAULT_DAYS, type ImportReport, importTimetable, previewTimetable } from './import-timetable.ts';
import { type AcceptedChanges, ImportRefused } from './preview/check-import.ts';
import { describePreview } from './preview/describe-preview.ts';

const usage = `Usage: npm run import -- FOLDER_OR_ZIP [--preview] [--accept-changes NUMBER] [--days N] [--today YYYY-MM-DD]

Imports a GTFS feed, with the operator's CSV files beside it, into the database the environment names.
  --preview                prints what would change, and writes nothing
  --accept-changes NUMBER  imports although NUMBER sold sailings are cancelled or moved
  --days N                 how many days ahead sailings are made (${DEFAULT_DAYS})
  --today YYYY-MM-DD       import as if it were this day, to try a feed of another season
`;

type ImportInput = {
  files: FeedFiles;
  /** Names of files beside them that are not read. */
  unread: string[];
  days: number;
  now: Date;
  accepted: AcceptedChanges;
  isPreview: boolean;
};

export const importCommand: Command<ImportInput> = {
  name: 'import',
  usage,
  refusals: [ImportRefused],
  async read(args) {
    const { path, ...input } = readImportArguments(args);
    const unread: string[] = [];
    return { files: await readFeedFiles(path, (name) => unread.push(name)), unread, ...input };
  },
  async run(context, { isPreview, accepted, unread, ...input }) {
    if (isPreview) return describePreview(await previewTimetable(context, input)) + describeUnread(unread);
    const started = performance.now();
    const report = await importTimetable(context, { ...input, accepted });
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    return `${describeReport(report)}${describeUnread(unread)}Done in ${seconds} s.`;
  },
};

if (import.meta.main) await runCommand(importCommand);

function readImportArguments(
  args: readonly string[],
): { path: string } & Omit<ImportInput, 'files' | 'unread'> {
  const { values, positionals } = readArguments(args, {
    preview: { type: 'boolean' },
    'accept-changes': { type: 'string' },
    days: { type: 'string' },
    today: { type: 'string' },
  });
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) throw new UsageError('Name one folder or zip archive.');
  const days = Number(values.days ?? DEFAULT_DAYS);
  if (!Number.isInteger(days) || days < 1 || days > 400) throw new UsageError('--days is 1 to 400.');
  const now = values.today === undefined ? new Date() : new Date(`${values.today}T12:00:00Z`);
  if (Number.isNaN(now.getTime())) throw new UsageError('--today is a day, YYYY-MM-DD.');
  const isPreview = values.preview ?? false;
  return { path, days, now, isPreview, accepted: readAccepted(values['accept-changes']) };
}

function readAccepted(text: string | undefined): AcceptedChanges {
  if (text === undefined) return 'within-limit';
  if (!/^\d{1,9}$/.test(text)) throw new UsageError('--accept-changes is a number of sailings.');
  return Number(text);
}

function describeReport({ ports, routes, sailings, notified, skipped }: ImportReport): string {
  const counts = Object.entries(sailings).map(([what, count]) => `${count} ${what}`);
  const lines = [`${ports} ports, ${routes} routes. Sailings: ${counts.join(', ')}.`];
  if (notified > 0) lines.push(`${notified} orders were written to.`);
  return [...lines, ...skipped.map((sentence) => `Note: ${sentence}`), ''].join('\n');
}

function describeUnread(names: readonly string[]): string {
  return names.length === 0 ? '' : `Note: not read: files ${names.join(', ')}.\n`;
}
