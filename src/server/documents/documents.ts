import { createThread } from '../thread.ts';
import type { DocumentsWish, DrawnDocuments, StatementWish } from './documents-worker.ts';

export type Documents = { pdf: Buffer; codes: Buffer[] };

/** Drawing takes long, and nobody waits for a mail as for a page. */
const draw = createThread<DocumentsWish | StatementWish, DrawnDocuments>(
  new URL('./documents-worker.ts', import.meta.url),
  'makes documents',
);

/** Makes an order's tickets as PDF, and codes as PNG, on a thread of their own. */
export async function makeDocuments(wish: DocumentsWish): Promise<Documents> {
  const { pdf, codes } = await draw(wish);
  return { pdf: Buffer.from(pdf), codes: codes.map((code) => Buffer.from(code)) };
}

/** Makes a trip card's statement as PDF, on the same thread. */
export async function makeStatementPdf(wish: StatementWish): Promise<Buffer> {
  return Buffer.from((await draw(wish)).pdf);
}
