import { type Command, type CommandResult, executeCommand, settleCommand } from '#server/commands/command.ts';
import type { TestServer } from './server.ts';

/** The output of a command, run in this process; `tests/process/commands.test.ts` runs separate processes. */
export function runCommandLine(
  { context }: Pick<TestServer, 'context'>,
  command: Command,
  ...args: string[]
): Promise<CommandResult> {
  return settleCommand(command, async () => executeCommand(command, context, await command.read(args)));
}

/** The exit code and the first line. */
export async function firstLineOf(result: Promise<CommandResult>): Promise<[number, string]> {
  const { stdout, stderr, exitCode } = await result;
  return [exitCode, (stdout + stderr).split('\n', 1)[0] ?? ''];
}
