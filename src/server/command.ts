import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { systemClock } from './clock.ts';
import { ConfigError, readConfig } from './config.ts';
import { describeProblem, FileError } from './csv/problems.ts';
import { openDatabase } from './database/database.ts';
import { FolderInUseError } from './database/folder-lock.ts';
import type { Deps } from './deps.ts';
import { ApiError } from './http/api-error.ts';
import { loadAppSecret } from './secrets.ts';
import { createVault } from './vault.ts';

/** A command that was typed wrongly: its usage is shown. */
export class UsageError extends Error {}

/** Does what was typed and answers what to say about it. */
export type Work = (deps: Pick<Deps, 'config' | 'db' | 'clock' | 'vault'>) => Promise<string>;

export type Command = {
  usage: string;
  /**
   * Understands what was typed, before anything is opened.
   * @throws {UsageError}
   */
  read(args: readonly string[]): Work | Promise<Work>;
  /** Errors whose message is for the operator, besides those every command may meet. */
  refusals?: readonly (new (
    ...given: never[]
  ) => Error)[];
};

/**
 * Runs a command of the operator's on the database the environment names. What it says goes to stdout; a refusal goes
 * to stderr, with exit code 1.
 */
export async function runCommand(command: Command): Promise<void> {
  try {
    const work = await command.read(process.argv.slice(2));
    const config = readConfig();
    const database = await openDatabase({ url: config.databaseUrl, folder: config.dataDir });
    try {
      const { db } = database;
      const vault = createVault(await loadAppSecret(db, config.appSecret));
      process.stdout.write(`${await work({ config, db, clock: systemClock, vault })}\n`);
    } finally {
      await database.close();
    }
  } catch (error) {
    const words = refusalInWords(error, command);
    if (words === null) throw error;
    process.stderr.write(words);
    process.exitCode = 1;
  }
}

/**
 * Options and the rest of what was typed.
 * @throws {UsageError}
 */
export function readArguments<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
): ReturnType<typeof parseArgs<{ options: Options; allowPositionals: true }>> {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
}

function refusalInWords(error: unknown, { usage, refusals = [] }: Command): string | null {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`;
  if (error instanceof FileError) return listProblems(error);
  const said = [ApiError, ConfigError, FolderInUseError, ...refusals];
  return error instanceof Error && said.some((kind) => error instanceof kind) ? `${error.message}\n` : null;
}

function listProblems({ message, problems, count }: FileError): string {
  const left = count - problems.length;
  const rest = left > 0 ? [`… and ${left} more.`] : [];
  return [message, ...problems.map(describeProblem), ...rest, ''].join('\n');
}
