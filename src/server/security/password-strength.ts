import { Worker } from 'node:worker_threads';
import type { StrengthAnswer, StrengthQuestion } from './password-strength-worker.ts';

type Waiting = { resolve(score: number): void; reject(error: Error): void };

const waiting = new Map<number, Waiting>();
let worker: Worker | null = null;
let asked = 0;

/**
 * How hard a password is to guess, from 0 to 4, on a thread of its own: reading the word lists and searching them
 * can take a tenth of a second, which everybody else's requests would notice. The thread starts when it is first
 * needed and keeps no process alive.
 * @param question the password (at most 100 characters of it) and words that somebody would try first
 */
export function estimateStrength(question: Omit<StrengthQuestion, 'id'>): Promise<number> {
  const thread = worker ?? startWorker();
  worker = thread;
  asked += 1;
  const id = asked;
  return new Promise((resolve, reject) => {
    waiting.set(id, { resolve, reject });
    thread.ref();
    thread.postMessage({ ...question, id } satisfies StrengthQuestion);
  });
}

function startWorker(): Worker {
  const started = new Worker(new URL('./password-strength-worker.ts', import.meta.url));
  started.unref();
  started.on('message', ({ id, score }: StrengthAnswer) => {
    const asker = waiting.get(id);
    waiting.delete(id);
    if (waiting.size === 0) started.unref();
    asker?.resolve(score);
  });
  started.on('error', (cause) =>
    giveUp(started, new Error('The thread that estimates passwords failed.', { cause })),
  );
  started.on('exit', () => giveUp(started, new Error('The thread that estimates passwords ended.')));
  return started;
}

/** The next question starts another thread. */
function giveUp(thread: Worker, error: Error): void {
  if (thread !== worker) return;
  worker = null;
  for (const { reject } of waiting.values()) reject(error);
  waiting.clear();
}
