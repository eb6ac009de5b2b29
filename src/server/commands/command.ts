import { readFile } from 'node:fs/promises';
import { userInfo } from 'node:os';
import { basename } from 'node:path';
import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import type { AuditActor } from '../audit/record-audit.ts';
import { type Config, ConfigError } from '../config.ts';
import type { CommandContext } from '../context.ts';
import { describeProblem, FileError } from '../csv/problems.ts';
import { FolderInUseError, FolderUnwritableError } from '../database/folder-lock.ts';
import { explainClosedDatabase } from '../database/unavailable.ts';
import { ApiError } from '../http/api-error.ts';

/** An invalid command line; the usage is printed below the message. */
export class UsageError extends Error {}

/** A command for the operator. `commands.ts` lists all of them, `run-command.ts` runs one from the command line. */
export type Command<Input = unknown> = {
  /** Unique, because the running server looks commands up by name. */
  name: string;
  usage: string;
  /**
   * Parses the command line and reads the files it names, in the calling process and before anything is opened. The
   * result must be serializable: plain data, maps, dates and bytes.
   * @throws {UsageError}
   */
  read(args: readonly string[]): Input | Promise<Input>;
  /** Runs the command. @returns the text to print */
  run(context: CommandContext, input: Input): Promise<string>;
  /** The database is opened without being created or migrated. */
  isReadOnly?: boolean;
  /** Runs the command if the database cannot be opened. `problem`: why, in a sentence. Absent: the problem is the result. */
  runWithoutDatabase?(config: Config, input: Input, problem: string): Promise<string>;
  /** Errors whose message is shown to the operator, besides those common to all commands. */
  refusals?: readonly (new (
    ...given: never[]
  ) => Error)[];
};

/** What a finished command prints, and its exit code. */
export type CommandResult = { stdout: string; stderr: string; exitCode: number };

/** Runs a step of a command and turns every error into output. */
export async function settleCommand(
  command: Pick<Command, 'usage' | 'refusals'>,
  work: () => Promise<CommandResult>,
): Promise<CommandResult> {
  try {
    return await work();
  } catch (error) {
    return { stdout: '', stderr: describeFailure(error, command), exitCode: 1 };
  }
}

/** Runs a parsed command. */
export function executeCommand(
  command: Command,
  context: CommandContext,
  input: unknown,
): Promise<CommandResult> {
  return printText(command, () => command.run(context, input));
}

/**
 * Runs a parsed command although the database could not be opened.
 * @throws {Error} the given one, if the command needs the database
 */
export function executeWithoutDatabase(
  command: Command,
  { config, input, error }: { config: Config; input: unknown; error: unknown },
): Promise<CommandResult> {
  const problem = error instanceof ConfigError ? error.message : explainClosedDatabase(error);
  const { runWithoutDatabase } = command;
  if (problem === null || runWithoutDatabase === undefined) throw error;
  return printText(command, () => runWithoutDatabase(config, input, problem));
}

function printText(command: Command, work: () => Promise<string>): Promise<CommandResult> {
  return settleCommand(command, async () => ({ stdout: `${await work()}\n`, stderr: '', exitCode: 0 }));
}

/**
 * Parses the options and positional arguments of a command line.
 * @throws {UsageError}
 */
export function readArguments<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
): ReturnType<typeof parseArgs<{ options: Options; allowPositionals: true }>> {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options });
  } catch (error) {
    const [problem = ''] = (error as Error).message.split('. ');
    throw new UsageError(`${problem}.`);
  }
}

/**
 * The system user who runs a command, for the audit log. Call it in `read`: the command itself may run in the server's
 * process.
 */
export function readCommandActor(): AuditActor {
  return { kind: 'command', systemUser: userInfo().username };
}

export type NamedFile = { file: string; contents: Uint8Array };

/**
 * Reads the one file that a command line names.
 * @throws {UsageError}
 */
export async function readOneFile([path, ...more]: readonly string[]): Promise<NamedFile> {
  if (path === undefined || more.length > 0) throw new UsageError('Name one file.');
  try {
    return { file: basename(path), contents: await readFile(path) };
  } catch {
    throw new UsageError(`${path} cannot be read.`);
  }
}

function describeFailure(
  error: unknown,
  { usage, refusals = [] }: Pick<Command, 'usage' | 'refusals'>,
): string {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`;
  if (error instanceof FileError) return listProblems(error);
  if (!(error instanceof Error)) return `${String(error)}\n`;
  const isForOperator = [ApiError, ConfigError, FolderInUseError, FolderUnwritableError, ...refusals].some(
    (kind) => error instanceof kind,
  );
  if (isForOperator) return `${error.message}\n`;
  return `${explainClosedDatabase(error) ?? error.stack ?? error.message}\n`;
}

function listProblems({ message, problems }: FileError): string {
  return [message, ...problems.map(describeProblem), ''].join('\n');
}
