import type { WebSettings } from '#contract/settings/schemas.ts';

/** Who issues receipts. */
export type Seller = { name: string; address: string; taxNumber: string };

/** Null if the settings do not say who issues receipts. */
export function findSeller({ seller }: Pick<WebSettings, 'seller'>): Seller | null {
  const { name, address, tax_number: taxNumber } = seller;
  return name === null || address === null || taxNumber === null ? null : { name, address, taxNumber };
}
