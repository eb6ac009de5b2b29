import type { WebSettings } from '#contract/settings/schemas.ts';
import type { Context } from '../context.ts';
import type { ReceiptContent } from '../database/schema/accounting.ts';
import { ApiError } from '../http/api-error.ts';
import { findSeller, type Seller } from '../settings/seller.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { getToday } from './ledger.ts';

const USUAL_DAYS = 14;

/** The days that recipients have to pay, unless a sale says otherwise. */
function getInvoiceDays({ invoice_days: days }: Pick<WebSettings, 'invoice_days'>): number {
  return days ?? USUAL_DAYS;
}

/** Whether the settings say who issues invoices and where they are paid. */
export function canInvoice(settings: WebSettings): boolean {
  return findSeller(settings) !== null && settings.seller.bank_account !== null;
}

/**
 * Who issues an invoice, until when it is to be paid to which account, and the settings that say so.
 * @param days to pay; null: as usual
 * @throws {ApiError} no_invoices if the settings do not say who issues them and where they are paid
 */
export async function requireInvoiceTerms(
  context: Pick<Context, 'db' | 'clock'>,
  days: number | null,
): Promise<{ seller: Seller; due: NonNullable<ReceiptContent['due']>; settings: WebSettings }> {
  const settings = await loadWebSettings(context);
  const seller = findSeller(settings);
  const bankAccount = settings.seller.bank_account;
  if (seller === null || bankAccount === null) throw new ApiError('no_invoices');
  const today = Temporal.PlainDate.from(await getToday(context));
  const on = today.add({ days: days ?? getInvoiceDays(settings) }).toString();
  return { seller, due: { on, bankAccount }, settings };
}
