import { createWorkerThread } from '../core/thread.ts';
import { type Caller, createWorkQueue } from '../http/work-queue.ts';
import type { DocumentInput } from './documents-worker.ts';

/** Drawing is slow, and pages come first. */
const runOnThread = createWorkerThread<DocumentInput, Uint8Array>(
  new URL('./documents-worker.ts', import.meta.url),
  { niceness: 15, idleMs: 60_000 },
);

/** Enough for mails, of which ten are sent concurrently, and for the downloads before a departure. */
export const documentQueue = createWorkQueue({ slots: 1, waiting: 64, waitingPerKey: 16 });

/**
 * Makes a PDF of an order's tickets, a receipt or a trip card's statement, or the UBL file of a receipt, on a worker thread.
 * @throws {ApiError} server_busy
 */
export async function makeDocument(input: DocumentInput, caller: Caller): Promise<Buffer> {
  return Buffer.from(await documentQueue.run(caller, () => runOnThread(input)));
}
