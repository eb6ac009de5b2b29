import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { WebSettings } from '#contract/settings.ts';
import { qrPng } from './qr-code.ts';
import { buildStatementPdf, type StatementSheet } from './statement-pdf.ts';
import { buildTicketsPdf } from './tickets-pdf.ts';
import type { TravelDocument } from './travel-document.ts';

/** An order to print, and payloads to draw as codes. */
export type DocumentsWish = {
  document: TravelDocument;
  settings: WebSettings;
  codes: readonly string[];
};
/** A trip card's statement to print. */
export type StatementWish = { statement: StatementSheet; settings: WebSettings };
export type DocumentsRequest = (DocumentsWish | StatementWish) & { id: number };
export type DocumentsAnswer =
  | { id: number; pdf: Uint8Array; codes: Uint8Array[] }
  | { id: number; message: string };

/** Where threads have a priority of their own: whoever waits for a page comes before whoever waits for a mail. */
const LOW_PRIORITY = 15;
if (process.platform === 'linux') setPriority(LOW_PRIORITY);

parentPort?.on('message', async (request: DocumentsRequest) => {
  parentPort?.postMessage(await answer(request));
});

async function answer(request: DocumentsRequest): Promise<DocumentsAnswer> {
  const { id, settings } = request;
  try {
    if ('statement' in request) {
      return { id, pdf: await buildStatementPdf(request.statement, settings), codes: [] };
    }
    return {
      id,
      pdf: await buildTicketsPdf(request.document, settings),
      codes: request.codes.map((payload) => qrPng(payload)),
    };
  } catch (error) {
    return { id, message: error instanceof Error ? error.message : 'Documents could not be made.' };
  }
}
