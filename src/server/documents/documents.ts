import { createWorkQueue, type Turn } from '../http/work-queue.ts';
import { createThread } from '../thread.ts';
import type { DocumentsWish, DrawnDocuments, StatementWish } from './documents-worker.ts';

export type Documents = { pdf: Buffer; codes: Buffer[] };

/** Drawing takes long, and nobody waits for a mail as for a page. */
const draw = createThread<DocumentsWish | StatementWish, DrawnDocuments>(
  new URL('./documents-worker.ts', import.meta.url),
  'makes documents',
);

/** Long enough for mails, of which ten are sent side by side, and for the downloads of a boat about to leave. */
export const documentQueue = createWorkQueue({ slots: 1, waiting: 64, waitingPerKey: 16 });

/**
 * Makes an order's tickets as PDF, and codes as PNG, on a thread of their own.
 * @throws {ApiError} server_busy
 */
export async function makeDocuments(wish: DocumentsWish, turn: Turn): Promise<Documents> {
  const { pdf, codes } = await documentQueue.run(turn, () => draw(wish));
  return { pdf: Buffer.from(pdf), codes: codes.map((code) => Buffer.from(code)) };
}

/**
 * Makes a trip card's statement as PDF, on the same thread.
 * @throws {ApiError} server_busy
 */
export async function makeStatementPdf(wish: StatementWish, turn: Turn): Promise<Buffer> {
  const { pdf } = await documentQueue.run(turn, () => draw(wish));
  return Buffer.from(pdf);
}
