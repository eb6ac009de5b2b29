import type { WebSettings } from '#contract/settings/schemas.ts';
import type { ElectronicTerms } from '../database/schema/accounting.ts';

/** Who issues receipts. */
export type Seller = { name: string; address: string; taxNumber: string };

/** Null if the settings do not say who issues receipts. */
export function findSeller({ seller }: Pick<WebSettings, 'seller'>): Seller | null {
  const { name, address, tax_number: taxNumber } = seller;
  return name === null || address === null || taxNumber === null ? null : { name, address, taxNumber };
}

/** What UBL files say of the seller; null if the settings lack something of it. */
export function findElectronicTerms({
  seller,
}: Pick<WebSettings, 'seller'>): Omit<ElectronicTerms, 'recipientCountry'> | null {
  const { country, zero_tax: category, zero_tax_reason: reason } = seller;
  if (country === null || (category !== 'zero_rated' && reason === null)) return null;
  return { sellerCountry: country, zeroTax: { category, reason } };
}
