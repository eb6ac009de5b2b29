import { setTimeout as delay } from 'node:timers/promises';
import { type Config, readConfig } from '../config.ts';
import { systemClock } from '../core/clock.ts';
import { createLog } from '../core/log.ts';
import { type OpenDatabase, openDatabase, openExistingDatabase } from '../database/database.ts';
import { FolderInUseError } from '../database/folder-lock.ts';
import { openStripe } from '../payments/provider/stripe-provider.ts';
import { openVault } from '../secrets.ts';
import {
  type Command,
  type CommandResult,
  executeCommand,
  executeWithoutDatabase,
  settleCommand,
} from './command.ts';
import { LostAnswerError, sendCommand } from './command-socket.ts';

/** Time allowed for the process that holds the data folder to start, to stop, or to finish another command. */
const OWNER_TIMEOUT_MS = 10_000;
const RETRY_EVERY_MS = 100;

/**
 * Runs a command from the command line on the configured database. If a running server has the embedded database open,
 * the command runs inside that server. Prints the result to stdout, an error to stderr with exit code 1.
 */
export async function runCommand(command: Command): Promise<void> {
  const withRefusals = { ...command, refusals: [...(command.refusals ?? []), LostAnswerError] };
  await printResult(withRefusals, async () => {
    const input = await command.read(process.argv.slice(2));
    const config = readConfig();
    return config.databaseUrl
      ? runInThisProcess(command, input, config)
      : runOnDataFolder(command, input, config);
  });
}

/** Prints what a command returns, or its usage for --help, to stdout; an error to stderr with exit code 1. */
export async function printResult(
  command: Pick<Command, 'usage' | 'refusals'>,
  work: () => Promise<CommandResult>,
): Promise<void> {
  const isAskedForHelp = process.argv.includes('--help');
  const { stdout, stderr, exitCode } = isAskedForHelp
    ? { stdout: command.usage, stderr: '', exitCode: 0 }
    : await settleCommand(command, work);
  // A program that reads only the beginning, such as `head`, closes the pipe.
  process.stdout.on('error', ignoreClosedPipe);
  process.stdout.write(stdout);
  process.stderr.write(stderr);
  process.exitCode = exitCode;
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error;
}

async function runOnDataFolder(command: Command, input: unknown, config: Config): Promise<CommandResult> {
  const deadline = performance.now() + OWNER_TIMEOUT_MS;
  for (;;) {
    try {
      return await runInThisProcess(command, input, config);
    } catch (error) {
      if (!(error instanceof FolderInUseError)) throw error;
      const answer = await sendCommand(config.dataDir, { name: command.name, input });
      if (answer) return answer;
      if (performance.now() > deadline) throw error;
      await delay(RETRY_EVERY_MS);
    }
  }
}

/** @throws {FolderInUseError} */
async function runInThisProcess(command: Command, input: unknown, config: Config): Promise<CommandResult> {
  let database: OpenDatabase;
  try {
    const open = command.isReadOnly ? openExistingDatabase : openDatabase;
    database = await open({ url: config.databaseUrl, folder: config.dataDir });
  } catch (error) {
    return executeWithoutDatabase(command, { config, input, error });
  }
  try {
    const { db } = database;
    const vault = await openVault(db, config);
    const log = createLog((line) => process.stderr.write(line));
    const provider = config.stripe && openStripe(config.stripe, { log });
    return await executeCommand(command, { config, db, clock: systemClock, vault, provider }, input);
  } finally {
    await database.close();
  }
}
