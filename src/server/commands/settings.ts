import type { PartialWebSettings } from '#contract/settings/schemas.ts';
import type { AuditActor } from '../audit/record-audit.ts';
import type { CommandContext } from '../context.ts';
import { collectProblems } from '../csv/problems.ts';
import { FolderUnwritableError } from '../database/folder-lock.ts';
import { findMissingSettings, readSettings } from '../settings/merge-settings.ts';
import { publishWebSettings } from '../settings/publish-settings.ts';
import { replaceWebSettings } from '../settings/replace-settings.ts';
import { loadSettings } from '../settings/web-settings.ts';
import {
  type Command,
  type NamedFile,
  readArguments,
  readCommandActor,
  readOneFile,
  UsageError,
} from './command.ts';
import { runCommand } from './run-command.ts';

const usage = `The operator's settings: name, contact, colors, terms, limits and analytics. docs/operating.md lists the fields.

  npm run settings -- get [--sources]
      Prints the settings in effect as JSON, ready to be edited and set. With --sources: where each comes from.

  npm run settings -- check FILE
      Names every field of the file that is wrong, and those that are left to the feed and the defaults.

  npm run settings -- set FILE
      Checks the file, stores it in place of the settings stored before, and publishes the result. A file with a
      wrong field is refused as a whole.
`;

type SettingsInput =
  | { kind: 'get'; withSources: boolean }
  | (NamedFile & { kind: 'check' | 'set'; actor: AuditActor });

export const settingsCommand: Command<SettingsInput> = {
  name: 'settings',
  usage,
  async read(args) {
    const { values, positionals } = readArguments(args, { sources: { type: 'boolean' } });
    const [kind, path, ...more] = positionals;
    if (kind === 'get' && path === undefined) return { kind, withSources: values.sources ?? false };
    if (kind !== 'check' && kind !== 'set') throw new UsageError('Name what to do: get, check or set.');
    const file = await readOneFile(path === undefined ? [] : [path, ...more]);
    return { kind, ...file, actor: readCommandActor() };
  },
  async run(context, input) {
    if (input.kind === 'get') return printSettings(context, input.withSources);
    const problems = collectProblems();
    const value = readSettings({ ...input, problems }) ?? {};
    problems.throwIfAny();
    const missing = describeMissing(value);
    if (input.kind === 'check') return `The file can be set.${missing}`;
    await replaceWebSettings(context, { value, actor: input.actor });
    return `${await publish(context)}${missing}`;
  },
};

if (import.meta.main) await runCommand(settingsCommand);

/** @returns what happened, for people */
async function publish(context: CommandContext): Promise<string> {
  try {
    await publishWebSettings(context);
    return 'Stored and published.';
  } catch (error) {
    if (!(error instanceof FolderUnwritableError)) throw error;
    return `Stored. ${error.message} Running servers publish the settings within five seconds.`;
  }
}

async function printSettings({ db }: CommandContext, withSources: boolean): Promise<string> {
  const { settings, sources } = await loadSettings(db);
  if (!withSources) return JSON.stringify(settings, null, 2);
  return [...sources].map(([path, source]) => `${path.padEnd(32)}${source}`).join('\n');
}

function describeMissing(value: PartialWebSettings): string {
  const missing = findMissingSettings(value);
  return missing.length === 0
    ? ''
    : `\nNot in the file, so left to the feed and the defaults: ${missing.join(', ')}.`;
}
