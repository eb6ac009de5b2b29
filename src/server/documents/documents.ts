import { Worker } from 'node:worker_threads';
import type { DocumentsAnswer, DocumentsRequest, DocumentsWish, StatementWish } from './documents-worker.ts';

export type Documents = { pdf: Buffer; codes: Buffer[] };

type Waiting = { resolve(documents: Documents): void; reject(error: Error): void };

const waiting = new Map<number, Waiting>();
let worker: Worker | null = null;
let asked = 0;

/**
 * Makes an order's tickets as PDF, and codes as PNG, on a thread of their own: drawing takes long enough that
 * everybody else's requests would notice. The thread starts when it is first needed and keeps no process alive.
 */
export function makeDocuments(wish: DocumentsWish): Promise<Documents> {
  return ask(wish);
}

/** Makes a trip card's statement as PDF, on the same thread. */
export async function makeStatementPdf(wish: StatementWish): Promise<Buffer> {
  return (await ask(wish)).pdf;
}

function ask(wish: DocumentsWish | StatementWish): Promise<Documents> {
  const thread = worker ?? startWorker();
  worker = thread;
  asked += 1;
  const request: DocumentsRequest = { ...wish, id: asked };
  return new Promise((resolve, reject) => {
    waiting.set(request.id, { resolve, reject });
    thread.ref();
    thread.postMessage(request);
  });
}

function startWorker(): Worker {
  const started = new Worker(new URL('./documents-worker.ts', import.meta.url));
  started.unref();
  started.on('message', (answer: DocumentsAnswer) => {
    const asker = waiting.get(answer.id);
    waiting.delete(answer.id);
    if (waiting.size === 0) started.unref();
    if ('message' in answer) asker?.reject(new Error(answer.message));
    else
      asker?.resolve({ pdf: Buffer.from(answer.pdf), codes: answer.codes.map((code) => Buffer.from(code)) });
  });
  started.on('error', giveUp);
  started.on('exit', () => giveUp(new Error('The thread that makes documents ended.')));
  return started;
}

/** The next wish starts another thread. */
function giveUp(error: Error): void {
  worker = null;
  for (const { reject } of waiting.values()) reject(error);
  waiting.clear();
}
