import { setTimeout as delay } from 'node:timers/promises';
import type { Reply, RequestOptions } from '#tests/process/http-client.ts';
import { launch, type ServerProcess } from '#tests/process/server-process.ts';

/** Several server processes on one database, as behind a balancer. */
export type Office = {
  /** Sends a request to one of the processes that serve; to any of them when none does. */
  send(path: string, options?: RequestOptions): Promise<Reply>;
  /** Kills a process and restarts it after a pause. */
  kill(index: number, pauseMs: number): Promise<void>;
  size: number;
  /** Failures other than those caused on purpose. */
  problems: string[];
  /** Answers by status: the product's, and those of the card provider's stand-in, which fails when it is told to. */
  answers: Record<'product' | 'provider', Map<number, number>>;
  /** Stops all processes like an operator. */
  close(): Promise<void>;
};

const START_PAUSE_MS = 1_000;

export async function openOffice(envs: readonly Record<string, string>[]): Promise<Office> {
  const problems: string[] = [];
  const answers: Office['answers'] = { product: new Map(), provider: new Map() };
  const servers: (ServerProcess | null)[] = [];
  const ports: number[] = [];
  // One after the other: the first one makes the tables.
  for (const env of envs) {
    const server = await startUntilReady(env);
    servers.push(server);
    ports.push(server.port);
    watch(server);
  }
  let turn = 0;
  const onPurpose = new WeakSet<ServerProcess>();

  function watch(server: ServerProcess): void {
    void server.exited.then((code) => {
      if (onPurpose.has(server)) return;
      problems.push(`a process ended by itself with ${code}: ${server.stderr().slice(-500)}`);
    });
  }

  function pick(): ServerProcess | undefined {
    turn += 1;
    const running = servers.filter((server) => server !== null);
    return running[turn % running.length];
  }

  return {
    size: envs.length,
    problems,
    answers,
    async send(path, options) {
      const server = pick();
      if (!server) throw Object.assign(new Error('no process'), { code: 'ECONNREFUSED' });
      const reply = await server.send(path, options);
      const sender = options?.host === 'pay' ? 'provider' : 'product';
      answers[sender].set(reply.status, (answers[sender].get(reply.status) ?? 0) + 1);
      if (reply.status >= 500 && reply.status !== 503 && sender === 'product') {
        problems.push(
          `${reply.status} at ${path.replace(/\/\w{3}_\w+/g, '/…')}: ${reply.text.slice(0, 200)}`,
        );
      }
      return reply;
    },
    async kill(index, pauseMs) {
      const server = servers[index];
      if (!server) return;
      servers[index] = null;
      onPurpose.add(server);
      await server.signal('SIGKILL');
      if (server.stderr() !== '') problems.push(`a process complained: ${server.stderr().slice(-500)}`);
      await delay(pauseMs);
      const next = await startUntilReady({ ...envs[index], PORT: String(ports[index]) });
      watch(next);
      servers[index] = next;
    },
    async close() {
      for (const server of servers) {
        if (!server) continue;
        onPurpose.add(server);
        const code = await server.signal('SIGTERM');
        if (code !== 0) problems.push(`a process ended with ${code} when it was asked to`);
        if (server.stderr() !== '') problems.push(`a process complained: ${server.stderr().slice(-500)}`);
      }
    },
  };
}

/** A start may fall into a time without a database, and ends; whatever watches over processes starts them again. */
async function startUntilReady(env: Record<string, string>): Promise<ServerProcess> {
  for (;;) {
    const server = await launch(env);
    try {
      await server.ready();
      return server;
    } catch {
      await server.signal('SIGKILL');
      await delay(START_PAUSE_MS);
    }
  }
}
