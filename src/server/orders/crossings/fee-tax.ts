import { findTaxShares, splitTax, type TaxPart } from '#domain/fares/taxes.ts';
import type { Database } from '#server/database/database.ts';
import { loadPriceInputs } from '#server/sailings/price-inputs.ts';

/** The tax of a fee for changing or canceling tickets of a sailing; null: no tax rule is for fees. */
export async function findFeeParts(
  db: Database,
  { fee, sailingId }: { fee: number; sailingId: string },
): Promise<TaxPart[] | null> {
  if (fee === 0) return null;
  const { catalogue, sailings } = await loadPriceInputs(db, { sailingIds: [sailingId], promoCode: null });
  const [sailing] = sailings;
  const shares =
    sailing &&
    findTaxShares(catalogue.taxes, {
      ...{ routeId: sailing.route.id, product: 'fee', day: sailing.serviceDate },
    });
  return shares ? splitTax(fee, shares) : null;
}
