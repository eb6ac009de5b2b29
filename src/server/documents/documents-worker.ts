import type { WebSettings } from '#contract/settings/schemas.ts';
import { createLog } from '../core/log.ts';
import { listMissingBlocks } from './pdf-fonts.ts';
import { buildReceiptPdf, type ReceiptSheet } from './receipt-pdf.ts';
import type { UblSheet } from './receipt-ubl.ts';
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
/** A receipt or credit note to print. */
export type ReceiptInput = { receipt: ReceiptSheet; settings: WebSettings };
/** A receipt or credit note to write as UBL, which it has the terms for. */
type UblInput = { ubl: UblSheet };
export type DocumentInput = DocumentsInput | StatementInput | ReceiptInput | UblInput;

const log = createLog((line) => process.stdout.write(line));
const logged = new Set<string>();

export async function run(input: DocumentInput): Promise<Uint8Array> {
  if ('ubl' in input) return writeUbl(input.ubl);
  const pdf = await build(input);
  for (const block of listMissingBlocks()) {
    if (!logged.has(block)) log.warn('font_missing', { characters: block });
    logged.add(block);
  }
  return pdf;
}

/** Its XML library is loaded on first use. */
async function writeUbl(sheet: UblSheet): Promise<Uint8Array> {
  const { buildReceiptUbl } = await import('./receipt-ubl.ts');
  const xml = buildReceiptUbl(sheet);
  if (xml === null) throw new Error('The receipt has no terms for a UBL file.');
  return Buffer.from(xml, 'utf8');
}

function build(input: Exclude<DocumentInput, UblInput>): Promise<Uint8Array> {
  if ('receipt' in input) return buildReceiptPdf(input.receipt, input.settings);
  if ('statement' in input) return buildStatementPdf(input.statement, input.settings);
  const { document, settings, isShared, showsAssistance } = input;
  return buildTicketsPdf(document, settings, { isShared, showsAssistance });
}
