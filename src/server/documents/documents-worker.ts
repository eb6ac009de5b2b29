import type { WebSettings } from '#contract/settings/schemas.ts';
import { qrPng } from './qr-code.ts';
import { buildStatementPdf, type StatementSheet } from './statement-pdf.ts';
import { buildTicketsPdf } from './tickets-pdf.ts';
import type { TravelDocument } from './travel-document.ts';

/** An order to print, and payloads to draw as codes. */
export type DocumentsInput = {
  document: TravelDocument;
  settings: WebSettings;
  codes: readonly string[];
  /** For a travel companion. */
  isShared?: boolean;
  /** For the order's owner, or a mail to its address, because it reveals travelers' health. */
  showsAssistance?: boolean;
};
/** A trip card's statement to print. */
export type StatementInput = { statement: StatementSheet; settings: WebSettings };
export type DrawnDocuments = { pdf: Uint8Array; codes: Uint8Array[] };

export async function run(input: DocumentsInput | StatementInput): Promise<DrawnDocuments> {
  if ('statement' in input)
    return { pdf: await buildStatementPdf(input.statement, input.settings), codes: [] };
  const { document, settings, codes, isShared, showsAssistance } = input;
  return {
    pdf: await buildTicketsPdf(document, settings, { isShared, showsAssistance }),
    codes: codes.map((payload) => qrPng(payload)),
  };
}
