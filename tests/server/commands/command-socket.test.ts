import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Command, UsageError } from '#server/commands/command.ts';
import { LostAnswerError, listenForCommands, sendCommand } from '#server/commands/command-socket.ts';
import type { CommandContext } from '#server/context.ts';
import type { Log } from '#server/core/log.ts';

const context = {} as CommandContext;
const log: Log = { info: () => {}, warn: () => {}, error: () => {} };
const echo: Command<{ words: Map<string, Uint8Array> }> = {
  name: 'echo',
  usage: 'Usage: echo\n',
  read: () => ({ words: new Map() }),
  async run(_, { words }) {
    const bytes = words.get('say');
    if (!bytes) throw new UsageError('Say something.');
    return Buffer.from(bytes).toString();
  },
};
let root: string;
let made = 0;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'gangway-socket-'));
});
afterAll(() => rmSync(root, { recursive: true }));

function newFolder(name = ''): string {
  made += 1;
  const folder = join(root, `${made}${name}`);
  mkdirSync(folder);
  return folder;
}

function listenIn(folder: string, commands: readonly Command[] = [echo], afterEach = async () => {}) {
  return listenForCommands({ folder, commands, context, log, afterEach });
}

const say = (text: string) => ({ name: 'echo', input: { words: new Map([['say', Buffer.from(text)]]) } });

describe('sendCommand', () => {
  it('runs the command in the listening process with files and maps as they were read', async () => {
    const folder = newFolder();
    const stop = await listenIn(folder);
    expect(await sendCommand(folder, say('Ahoj ☀'))).toEqual({ stdout: 'Ahoj ☀\n', stderr: '', exitCode: 0 });
    await stop();
  });

  it('returns a refusal as the command line prints it', async () => {
    const folder = newFolder();
    const stop = await listenIn(folder);
    const answer = await sendCommand(folder, { name: 'echo', input: { words: new Map() } });
    expect(answer).toEqual({ stdout: '', stderr: 'Say something.\n\nUsage: echo\n', exitCode: 1 });
    await stop();
  });

  it('answers after the server has refreshed what it shows, also when that fails', async () => {
    const folder = newFolder();
    let refreshed = 0;
    const stop = await listenIn(folder, [echo], async () => {
      refreshed += 1;
      throw new Error('disk full');
    });
    expect(await sendCommand(folder, say('a'))).toMatchObject({ exitCode: 0 });
    expect(refreshed).toBe(1);
    await stop();
  });

  it('refuses an unknown command', async () => {
    const folder = newFolder();
    const stop = await listenIn(folder);
    const unknown =
      'The running server does not know this command. Restart it, so that both are of one release.\n';
    expect(await sendCommand(folder, { name: 'dance', input: null })).toEqual({
      stdout: '',
      stderr: unknown,
      exitCode: 1,
    });
    await stop();
  });

  it('finds no server in a folder without one, with a stale address, and after a stop', async () => {
    const folder = newFolder();
    expect(await sendCommand(folder, say('a'))).toBeNull();
    writeFileSync(join(folder, 'command.address'), join(folder, 'command.sock'));
    expect(await sendCommand(folder, say('a'))).toBeNull();
    const stop = await listenIn(folder);
    expect(await sendCommand(folder, say('a'))).not.toBeNull();
    await stop();
    expect(await sendCommand(folder, say('a'))).toBeNull();
    expect(existsSync(join(folder, 'command.sock'))).toBe(false);
  });

  it('throws when the connection ends without an answer', async () => {
    const folder = newFolder();
    const address = join(folder, 'command.sock');
    const silent = createServer((socket) => socket.destroy());
    await new Promise<void>((done) => silent.listen(address, done));
    writeFileSync(join(folder, 'command.address'), address);
    await expect(sendCommand(folder, say('a'))).rejects.toThrow(LostAnswerError);
    await new Promise((done) => silent.close(done));
  });
});

describe('listenForCommands', () => {
  it('listens in the temp folder when the data folder is too deep for a socket, and removes what it made', async () => {
    const folder = newFolder('x'.repeat(120));
    const stop = await listenIn(folder);
    const address = readFileSync(join(folder, 'command.address'), 'utf8');
    expect(Buffer.byteLength(address)).toBeLessThanOrEqual(100);
    expect(await sendCommand(folder, say('deep'))).toMatchObject({ stdout: 'deep\n' });
    await stop();
    expect(existsSync(join(address, '..'))).toBe(false);
  });

  it('finishes and answers a command that has begun before it stops', async () => {
    const folder = newFolder();
    const [begun, release] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const slow: Command = {
      name: 'slow',
      usage: '',
      read: () => null,
      async run() {
        begun.resolve();
        await release.promise;
        return 'done';
      },
    };
    const stop = await listenIn(folder, [slow]);
    const answer = sendCommand(folder, { name: 'slow', input: null });
    await begun.promise;
    const stopped = stop();
    release.resolve();
    expect(await answer).toMatchObject({ stdout: 'done\n', exitCode: 0 });
    await stopped;
  });

  it('continues after a sender sends an invalid request', async () => {
    const folder = newFolder();
    const stop = await listenIn(folder);
    const { connect } = await import('node:net');
    for (const bytes of ['', 'GET / HTTP/1.1\r\n\r\n']) {
      await new Promise<void>((done) => {
        const socket = connect(readFileSync(join(folder, 'command.address'), 'utf8'), () =>
          socket.end(bytes),
        );
        socket.resume().once('close', () => done());
      });
    }
    expect(await sendCommand(folder, say('still here'))).toMatchObject({ stdout: 'still here\n' });
    await stop();
  });
});
