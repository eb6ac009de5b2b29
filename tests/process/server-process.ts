import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, openSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '#tests/setup/engine.ts';
import { type Reply, type RequestOptions, request } from './http-client.ts';

export const root = fileURLToPath(new URL('../..', import.meta.url));
const pinned = join(root, 'node_modules/.bin/node');
export const node = existsSync(pinned) ? pinned : process.execPath;
/** Loading the demo takes half a minute, and several times as long on a busy machine. */
const READY_WITHIN_MS = 180_000;
const LOOK_EVERY_MS = 50;

/**
 * The environment of a process of the product: what is given, and the folder of compiled scripts that the processes of
 * one test run share. Compiling is half the time of a start.
 */
export function environmentOf(given: Record<string, string>): Record<string, string> {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  return { PATH, ...(NODE_COMPILE_CACHE === undefined ? {} : { NODE_COMPILE_CACHE }), ...given };
}

/**
 * Compiles the embedded database once: the optimizing compiler, which pays for itself within minutes, takes a third of the
 * processor time of a start.
 */
export const V8_FLAGS = ['--liftoff-only'];

/** A server of the product in a separate process. */
export type ServerProcess = {
  readonly port: number;
  readonly pid: number;
  /** Its output so far. */
  stdout(): string;
  stderr(): string;
  /** The exit code; null when a signal ended it. */
  readonly exited: Promise<number | null>;
  /** A request under one of its hosts: `tickets`, `my`, `pay`, `mail`, `storage`, or a whole Host header. */
  send(path: string, options?: RequestOptions): Promise<Reply>;
  ready(): Promise<void>;
  signal(name: 'SIGTERM' | 'SIGKILL'): Promise<number | null>;
  /** Allows this job to fail in this process; `endAll` reports every other failed job. */
  expectFailing(job: string): void;
};

const running = new Set<ChildProcess>();
/** The output of each launched server, and the jobs that its test expects to fail. */
const launched: { stdout(): string; failing: Set<string> }[] = [];

/** Another Node and another user to run a server with, and the file it logs to instead of this process. */
export type RunAs = { program?: string; uid?: number; gid?: number; logFile?: string };

/**
 * Starts `src/server/main.js` with only the given environment. Does not wait until it serves.
 * @param folder of the release to start, if it is not this one
 */
export function launch(
  env: Record<string, string>,
  folder = root,
  runAs: RunAs = {},
): Promise<ServerProcess> {
  return launchNode(['src/server/main.js'], env, { folder, ...runAs });
}

/** Starts the development server like `npm run dev`. Does not wait until it serves. */
export function launchDevelopment(env: Record<string, string>): Promise<ServerProcess> {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [, ...args] = (scripts.dev as string).split(' ');
  return launchNode(args, env, { folder: root });
}

async function launchNode(
  args: string[],
  env: Record<string, string>,
  { folder, program = node, logFile, ...user }: RunAs & { folder: string },
): Promise<ServerProcess> {
  const port = env.PORT === undefined ? await freePort() : Number(env.PORT);
  const child = spawn(program, [...V8_FLAGS, ...args], {
    ...user,
    cwd: folder,
    env: environmentOf({ ...env, PORT: String(port) }),
    stdio: ['ignore', logFile === undefined ? 'pipe' : openSync(logFile, 'a'), 'pipe'],
  });
  running.add(child);
  const printed = { stdout: '', stderr: '' };
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream]?.setEncoding('utf8').on('data', (text: string) => {
      printed[stream] += text;
    });
  }
  let isOver = false;
  const exited = new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    // `close`, not `exit`, because all output has been read by then.
    child.once('close', (code) => {
      isOver = true;
      running.delete(child);
      resolve(code);
    });
  });
  const failing = new Set<string>();
  launched.push({ stdout: () => printed.stdout, failing });
  const send = (path: string, options: RequestOptions = {}) => request(port, path, options);
  return {
    port,
    pid: child.pid ?? 0,
    stdout: () => printed.stdout,
    stderr: () => printed.stderr,
    exited,
    send,
    ready: () =>
      eventually(
        async () => {
          if (isOver) throw new Error(`The server ended:\n${printed.stderr.slice(-2000)}`);
          const reply = await send('/readyz').catch(() => null);
          return reply?.status === 200;
        },
        { what: 'the server to be ready', withinMs: READY_WITHIN_MS },
      ),
    signal(name) {
      child.kill(name);
      return exited;
    },
    expectFailing: (job) => void failing.add(job),
  };
}

/** Starts a server and waits until it serves. */
export async function startServer(
  env: Record<string, string>,
  folder = root,
  runAs: RunAs = {},
): Promise<ServerProcess> {
  const server = await launch(env, folder, runAs);
  await server.ready();
  return server;
}

/**
 * Ends all servers that a test left running; for `afterAll`.
 * @throws when a job failed in one of the servers and its test did not expect that
 */
export async function endAll(): Promise<void> {
  await Promise.all(
    [...running].map(
      (child) =>
        new Promise<void>((resolve) => {
          child.once('close', () => resolve());
          child.kill('SIGKILL');
        }),
    ),
  );
  const failed = launched
    .splice(0)
    .flatMap(({ stdout, failing }) => failedJobs(stdout()).filter(({ job }) => !failing.has(job)));
  if (failed.length > 0) throw new Error(`Jobs failed:\n${failed.map(({ line }) => line).join('\n')}`);
}

/** The jobs that failed according to a server's log. */
export function failedJobs(output: string): { job: string; line: string }[] {
  return output.split('\n').flatMap((line) => {
    const job = /"event":"job failed","job":"([^"]+)"/.exec(line)?.[1];
    return job === undefined ? [] : [{ job, line }];
  });
}

/** A new empty folder in the temp folder. */
export function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'gangway-process-'));
}

/** Polls until the condition is true; throws after the time limit. */
export async function eventually(
  isSo: () => Promise<boolean> | boolean,
  { what, withinMs }: { what: string; withinMs: number },
): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > deadline) throw new Error(`Waited ${withinMs} ms for ${what}.`);
    await delay(LOOK_EVERY_MS);
  }
}
