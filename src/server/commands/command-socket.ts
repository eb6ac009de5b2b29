import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import type { CommandContext } from '../context.ts';
import { describeError, type Log } from '../core/log.ts';
import { type Command, type CommandResult, executeCommand } from './command.ts';

/** A parsed command for the running server. Sent with V8's structured clone. */
type CommandRequest = { name: string; input: unknown };

/** The server ended between accepting a command and answering it. */
export class LostAnswerError extends Error {
  override readonly name = 'LostAnswerError';
}

/** Contains the address of the socket, which may have to be elsewhere, see `MAX_PATH_BYTES`. */
const ADDRESS_FILE = 'command.address';
/** The system's limit for a socket's path is 104 bytes on macOS and 108 on Linux, with the final NUL. */
const MAX_PATH_BYTES = 100;
const SOCKET_NAME = 'command.sock';
const TEMP_PREFIX = 'gangway-command-';

/**
 * Accepts commands on a socket that only the same user can open: one request and one response per connection. The
 * caller holds the lock of the data folder.
 * @param folder the data folder, where `sendCommand` finds the socket's address
 * @param afterEach runs after each command and before its response, so that the server shows the command's effect
 * @returns a function that stops listening after running commands have finished
 */
export async function listenForCommands(options: {
  folder: string;
  commands: readonly Command[];
  context: CommandContext;
  log: Log;
  afterEach(): Promise<void>;
}): Promise<() => Promise<void>> {
  // A killed server leaves its socket behind.
  const stale = readAddress(options.folder);
  if (stale !== null) removeSocket(stale);
  const address = chooseAddress(options.folder);
  const waiting = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true }, async (socket) => {
    waiting.add(socket);
    // The sender may disconnect before the response; the command's effect remains.
    socket.on('error', () => {});
    const request = await readAll(socket).catch(() => null);
    waiting.delete(socket);
    if (request === null) return;
    socket.end(JSON.stringify(await answer(options, request)));
  });
  await listen(server, address);
  writeAddress(options.folder, address);
  return async () => {
    rmSync(join(options.folder, ADDRESS_FILE), { force: true });
    const closed = new Promise<void>((done) => server.close(() => done()));
    for (const socket of waiting) socket.destroy();
    await closed;
    removeSocket(address);
  };
}

/**
 * Sends a command to the server that has the data folder open.
 * @returns what the command prints; null if no server listens
 * @throws {LostAnswerError}
 */
export async function sendCommand(folder: string, request: CommandRequest): Promise<CommandResult | null> {
  const address = readAddress(folder);
  const socket = address === null ? null : await open(address);
  if (!socket) return null;
  socket.end(serialize(request));
  const text = await readAll(socket).then(
    (bytes) => bytes.toString('utf8'),
    () => '',
  );
  if (text === '') {
    throw new LostAnswerError(
      'The running server stopped before it answered. The command may or may not have taken effect: check before you repeat it.',
    );
  }
  return JSON.parse(text) as CommandResult;
}

async function answer(
  { commands, context, log, afterEach }: Parameters<typeof listenForCommands>[0],
  bytes: Buffer,
): Promise<CommandResult> {
  const request = readRequest(bytes);
  const command = commands.find(({ name }) => name === request?.name);
  if (!request || !command) {
    const stderr =
      'The running server does not know this command. Restart it, so that both are of one release.\n';
    return { stdout: '', stderr, exitCode: 1 };
  }
  const result = await executeCommand(command, context, request.input);
  log.info('command', { command: command.name, exit_code: result.exitCode });
  await afterEach().catch((error: unknown) =>
    log.error('refresh after command failed', describeError(error)),
  );
  return result;
}

function readRequest(bytes: Buffer): CommandRequest | null {
  try {
    return deserialize(bytes) as CommandRequest;
  } catch {
    return null;
  }
}

function chooseAddress(folder: string): string {
  if (process.platform === 'win32') return `\\\\.\\pipe\\${TEMP_PREFIX}${randomBytes(16).toString('hex')}`;
  const path = join(resolve(folder), SOCKET_NAME);
  return Buffer.byteLength(path) <= MAX_PATH_BYTES
    ? path
    : join(mkdtempSync(join(tmpdir(), TEMP_PREFIX)), SOCKET_NAME);
}

async function listen(server: Server, address: string): Promise<void> {
  // The socket file is created inside listen(), so it is never accessible to other users.
  const mask = process.umask(0o177);
  const listening = new Promise<void>((done, fail) => {
    server.once('error', fail);
    server.listen(address, done);
  });
  process.umask(mask);
  await listening;
}

function open(address: string): Promise<Socket | null> {
  return new Promise((done) => {
    const socket = connect({ path: address, allowHalfOpen: true });
    socket.once('connect', () => done(socket));
    socket.once('error', () => done(null));
  });
}

/** @throws if the connection breaks before the other side has ended it */
async function readAll(socket: Socket): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

function writeAddress(folder: string, address: string): void {
  const file = join(folder, ADDRESS_FILE);
  writeFileSync(`${file}.new`, address, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function readAddress(folder: string): string | null {
  try {
    return readFileSync(join(folder, ADDRESS_FILE), 'utf8');
  } catch {
    return null;
  }
}

function removeSocket(address: string): void {
  if (basename(address) !== SOCKET_NAME) return;
  rmSync(address, { force: true });
  const parent = dirname(address);
  if (basename(parent).startsWith(TEMP_PREFIX)) rmSync(parent, { recursive: true, force: true });
}
