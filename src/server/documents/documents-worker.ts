import type { WebSettings } from '#contract/settings/schemas.ts';
import { buildStatementPdf, type StatementSheet } from './statement-pdf.ts';
import { buildTicketsPdf } from './tickets-pdf.ts';
import type { TravelDocument } from './travel-document.ts';

/** An order to print. */
export type DocumentsInput = {
  document: TravelDocument;
  settings: WebSettings;
  /** For a travel companion. */
  isShared?: boolean;
  /** For the order's owner, or a mail to its address, because it reveals travelers' health. */
  showsAssistance?: boolean;
};
/** A trip card's statement to print. */
export type StatementInput = { statement: StatementSheet; settings: WebSettings };

export async function run(input: DocumentsInput | StatementInput): Promise<Uint8Array> {
  if ('statement' in input) return buildStatementPdf(input.statement, input.settings);
  const { document, settings, isShared, showsAssistance } = input;
  return buildTicketsPdf(document, settings, { isShared, showsAssistance });
}
