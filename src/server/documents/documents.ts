import { createWorkerThread } from '../core/thread.ts';
import { type Caller, createWorkQueue } from '../http/work-queue.ts';
import type { DocumentsInput, DrawnDocuments, StatementInput } from './documents-worker.ts';

type Documents = { pdf: Buffer; codes: Buffer[] };

/** Drawing is slow, and mails have lower priority than pages. */
const runOnThread = createWorkerThread<DocumentsInput | StatementInput, DrawnDocuments>(
  new URL('./documents-worker.ts', import.meta.url),
  { niceness: 15, idleMs: 60_000 },
);

/** Enough for mails, of which ten are sent concurrently, and for the downloads before a departure. */
export const documentQueue = createWorkQueue({ slots: 1, waiting: 64, waitingPerKey: 16 });

/**
 * Makes an order's tickets as PDF, and QR codes as PNG, on a worker thread.
 * @throws {ApiError} server_busy
 */
export async function makeDocuments(input: DocumentsInput, caller: Caller): Promise<Documents> {
  const { pdf, codes } = await documentQueue.run(caller, () => runOnThread(input));
  return { pdf: Buffer.from(pdf), codes: codes.map((code) => Buffer.from(code)) };
}

/**
 * Makes a trip card's statement as PDF on the same thread.
 * @throws {ApiError} server_busy
 */
export async function makeStatementPdf(input: StatementInput, caller: Caller): Promise<Buffer> {
  const { pdf } = await documentQueue.run(caller, () => runOnThread(input));
  return Buffer.from(pdf);
}
