import type { SailingFares } from '#contract/gate/fares/schemas.ts';
import type { SailingToPrice } from '#domain/fares/fare-book.ts';
import { priceCheapest, priceParty } from '#domain/fares/fares.ts';
import { translateTexts } from '#messages/translations.ts';
import type { CatalogueRecord, TimetableRecord } from '#server/sailings/queries.ts';
import { createFareBook } from '#server/sailings/search.ts';

/** What travelers pay at the gate of each sailing. Sailings without a fare are omitted. */
export function listSailingFares(
  catalogue: CatalogueRecord,
  sailings: readonly TimetableRecord[],
  language: string,
): SailingFares[] {
  const types = catalogue.passengerTypes.toSorted((a, b) => Number(b.isDefault) - Number(a.isDefault));
  const [usual] = types;
  // Each type is priced alone, also those who travel only with an adult.
  const passengerTypes = types.map((type) => ({ ...type, needsAdult: false }));
  const book = { ...createFareBook(catalogue), passengerTypes };
  return sailings.flatMap((sailing) => {
    const trip = (type: string) => ({ sailings: [toPrice(sailing)], party: partyOf(type), book });
    const cheapest = usual && priceCheapest(trip(usual.code));
    if (!cheapest?.ok) return [];
    const fareClass = cheapest.fareClass.code;
    const travelers = types.flatMap((type) => {
      const priced = priceParty({ ...trip(type.code), fareClass });
      if (!priced.ok) return [];
      const { name } = translateTexts(type, language);
      return [{ type: type.code, name, amount: priced.total, needs_adult: type.needsAdult }];
    });
    return [{ sailing_id: sailing.id, line: sailing.route.gtfsRouteId, fare_class: fareClass, travelers }];
  });
}

function toPrice({ id, serviceDate, route, vessel }: TimetableRecord): SailingToPrice {
  return { leg: 'out', sailingId: id, serviceDate, route, vessel };
}

function partyOf(type: string) {
  return { passengers: [{ type, count: 1 }], vehicle: null, bicycles: 0 };
}
