import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { ConfigError } from './config.ts';
import { describeProblem, FileError } from './csv/problems.ts';
import { FolderInUseError } from './database/folder-lock.ts';
import type { Deps } from './deps.ts';
import { ApiError } from './http/api-error.ts';

/** A command line that cannot be understood: the usage is shown below the message. */
export class UsageError extends Error {}

/** What a command may use, in a process of its own as well as inside the running server. */
export type CommandContext = Pick<Deps, 'config' | 'db' | 'clock' | 'vault'>;

/** A command of the operator's. `commands.ts` lists all of them, `run-command.ts` runs one from the command line. */
export type Command<Input = unknown> = {
  /** Unique among the commands: the running server finds the command by it. */
  name: string;
  usage: string;
  /**
   * Reads the command line and the files it names, in the process that was typed into and before anything is opened.
   * The result may be sent to another process: plain data, maps, dates and bytes.
   * @throws {UsageError}
   */
  read(args: readonly string[]): Input | Promise<Input>;
  /** Does the work. @returns the text to print */
  run(context: CommandContext, input: Input): Promise<string>;
  /** Errors whose message is for the operator, besides those every command may meet. */
  refusals?: readonly (new (
    ...given: never[]
  ) => Error)[];
};

/** What a finished command prints, and its exit code. */
export type CommandResult = { stdout: string; stderr: string; exitCode: number };

/** Runs a step of a command and turns every error into what the command prints. */
export async function settleCommand(
  command: Command,
  work: () => Promise<CommandResult>,
): Promise<CommandResult> {
  try {
    return await work();
  } catch (error) {
    return { stdout: '', stderr: describeFailure(error, command), exitCode: 1 };
  }
}

/** Runs a command whose command line has been read. */
export function executeCommand(
  command: Command,
  context: CommandContext,
  input: unknown,
): Promise<CommandResult> {
  return settleCommand(command, async () => ({
    stdout: `${await command.run(context, input)}\n`,
    stderr: '',
    exitCode: 0,
  }));
}

/**
 * The options and positional arguments of a command line.
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

function describeFailure(error: unknown, { usage, refusals = [] }: Command): string {
  if (error instanceof UsageError) return `${error.message}\n\n${usage}`;
  if (error instanceof FileError) return listProblems(error);
  if (!(error instanceof Error)) return `${String(error)}\n`;
  const isForOperator = [ApiError, ConfigError, FolderInUseError, ...refusals].some(
    (kind) => error instanceof kind,
  );
  return `${isForOperator ? error.message : (error.stack ?? error.message)}\n`;
}

function listProblems({ message, problems, count }: FileError): string {
  const left = count - problems.length;
  const rest = left > 0 ? [`… and ${left} more.`] : [];
  return [message, ...problems.map(describeProblem), ...rest, ''].join('\n');
}
