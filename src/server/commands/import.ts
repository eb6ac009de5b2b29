import { isDay } from '#domain/time/days.ts';
import { getDayStart, isTimeZone } from '#domain/time/port-time.ts';
import type { AuditActor } from '../audit/record-audit.ts';
import type { Context } from '../context.ts';
import { findSimilarName } from '../core/similar-name.ts';
import { collectProblems, FileError } from '../csv/problems.ts';
import { readTable } from '../csv/table.ts';
import { type FeedFiles, KNOWN_FILES, readFeedFiles } from '../sailings/feed/feed-files.ts';
import { readFeedChange } from '../sailings/feed-changes.ts';
import {
  DEFAULT_DAYS,
  type ImportReport,
  importTimetable,
  previewTimetable,
  readStoredFeed,
} from '../sailings/import-timetable.ts';
import { describeOtherNotices } from '../sailings/notices/notice-report.ts';
import { type AcceptedChanges, ImportRefused } from '../sailings/preview/check-import.ts';
import { describePreview } from '../sailings/preview/describe-preview.ts';
import { type Command, readArguments, readCommandActor, UsageError } from './command.ts';
import { runCommand } from './run-command.ts';

const usage = `Usage: npm run import -- FOLDER_OR_ZIP [--preview] [--accept-changes NUMBER] [--days N] [--today YYYY-MM-DD]
       npm run import -- --take-back [--preview] [--accept-changes NUMBER] [--days N]

Imports a GTFS feed, with the operator's CSV files beside it, into the database the environment names.
  --take-back              imports the files from before the last change again
  --preview                prints what would change, and writes nothing
  --accept-changes NUMBER  imports although NUMBER sold sailings are canceled or moved
  --days N                 how many days ahead sailings are made (${DEFAULT_DAYS})
  --today YYYY-MM-DD       import as if it were this day, to try a feed of another season
`;

type ImportInput = {
  /** Null: those from before the last change. */
  files: FeedFiles | null;
  /** Names of files beside them that are not read. */
  unread: string[];
  days: number;
  now: Date;
  accepted: AcceptedChanges;
  isPreview: boolean;
  actor: AuditActor;
};

export const importCommand: Command<ImportInput> = {
  name: 'import',
  usage,
  refusals: [ImportRefused],
  async read(args) {
    const { path, today, ...input } = readImportArguments(args);
    const unread: string[] = [];
    if (path === null) return { files: null, unread, now: new Date(), actor: readCommandActor(), ...input };
    const files = await readFeedFiles(path, (name) => unread.push(name));
    const now = today === undefined ? new Date() : findDayStart(today, files);
    return { files, unread, now, actor: readCommandActor(), ...input };
  },
  async run(context, { isPreview, accepted, unread, files, ...input }) {
    const misnamed = files === null ? '' : describeMisnamed(files, unread);
    const source = files === null ? await readReplacedFeed(context) : { files };
    try {
      if (isPreview) {
        const preview = await previewTimetable(context, { ...input, ...source });
        return misnamed + describePreview(preview) + describeUnread(unread);
      }
      const started = performance.now();
      const report = await importTimetable(context, { ...input, ...source, accepted });
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      return `${misnamed}${describeReport(report)}${describeUnread(unread)}Done in ${seconds} s.`;
    } catch (error) {
      // The name of a file may be the cause of every problem.
      if (error instanceof ImportRefused || error instanceof FileError)
        error.message = misnamed + error.message;
      throw error;
    }
  },
};

if (import.meta.main) await runCommand(importCommand);

/** The files from before the last change. */
async function readReplacedFeed({ db }: Pick<Context, 'db'>) {
  const change = await readFeedChange(db);
  if (change === null) throw new UsageError('No change is kept that could be taken back.');
  const current = await readStoredFeed(db);
  return { upload: change.zip, currentZip: current?.zip ?? null, takesBack: change.at };
}

/** `path`: null to take the last change back. */
function readImportArguments(
  args: readonly string[],
): { path: string | null; today: string | undefined } & Omit<
  ImportInput,
  'files' | 'unread' | 'now' | 'actor'
> {
  const { values, positionals } = readArguments(args, {
    preview: { type: 'boolean' },
    'take-back': { type: 'boolean' },
    'accept-changes': { type: 'string' },
    days: { type: 'string' },
    today: { type: 'string' },
  });
  const { today, 'take-back': isTakeBack = false } = values;
  const [path = null, ...more] = positionals;
  if (isTakeBack ? path !== null : path === null || more.length > 0)
    throw new UsageError('Name one folder or zip archive, or --take-back.');
  if (isTakeBack && today !== undefined) throw new UsageError('--take-back does not go with --today.');
  const days = Number(values.days ?? DEFAULT_DAYS);
  if (!Number.isInteger(days) || days < 1 || days > 400) throw new UsageError('--days is 1 to 400.');
  if (today !== undefined && !isDay(today)) throw new UsageError('--today is a day, YYYY-MM-DD.');
  const isPreview = values.preview ?? false;
  return { path, today, days, isPreview, accepted: readAccepted(values['accept-changes']) };
}

/** The first instant of a day in the feed's zone. What is wrong with the zone is reported by the import. */
function findDayStart(day: string, files: FeedFiles): Date {
  const file = 'agency.txt';
  const [agency] = readTable({ file, contents: files.get(file), problems: collectProblems() });
  const zone = agency?.text('agency_timezone') ?? '';
  return new Date(getDayStart(day, isTimeZone(zone) ? zone : 'UTC'));
}

function readAccepted(text: string | undefined): AcceptedChanges {
  if (text === undefined) return 'within-limit';
  if (!/^\d{1,9}$/.test(text)) throw new UsageError('--accept-changes is a number of sailings.');
  return Number(text);
}

function describeReport({ ports, routes, sailings, notices, skipped }: ImportReport): string {
  const counts = Object.entries(sailings).map(([what, count]) => `${count} ${what}`);
  const lines = [`${ports} ports, ${routes} routes. Sailings: ${counts.join(', ')}.`];
  if (notices.notified > 0) lines.push(`${notices.notified} orders were written to.`);
  lines.push(...describeOtherNotices(notices));
  return [...lines, ...skipped.map((sentence) => `Note: ${sentence}`), ''].join('\n');
}

/** Names files that are not read, but are called almost like one that is missing. */
function describeMisnamed(files: FeedFiles, unread: readonly string[]): string {
  const missing = KNOWN_FILES.filter((file) => !files.has(file));
  const stemOf = (file: string) => file.replace(/\.[^.]*$/, '');
  return unread
    .map((file) => {
      const similar = findSimilarName(stemOf(file), missing.map(stemOf));
      const meant = missing.find((each) => stemOf(each) === similar);
      return meant === undefined ? '' : `The file ${file} is not read. Is it meant to be ${meant}?\n`;
    })
    .join('');
}

function describeUnread(names: readonly string[]): string {
  return names.length === 0 ? '' : `Note: not read: files ${names.join(', ')}.\n`;
}
