import { listLegsOfJourney } from '#domain/orders/legs.ts';
import { type NewHold, type Places, takePlacesWithin } from '#server/capacity/places.ts';
import { newId } from '#server/core/ids.ts';
import type { Database } from '#server/database/database.ts';
import { holdItems, holds } from '#server/database/schema/holds.ts';
import { upsertRows } from '../bulk.ts';
import type { BookedJourney } from './booked-journeys.ts';
import { type Journey, type JourneyFinder, listPlaces } from './find-journeys.ts';

type ProtectionInput = {
  booked: BookedJourney;
  finder: Pick<JourneyFinder, 'catalogue'>;
  /** The protection also ends with the sales of the protected sailings. */
  until: Date;
  now: Date;
};

/** Places for the party of a journey on a journey. */
export type Protection = Pick<ProtectionInput, 'booked' | 'until'> & { journey: Journey };

/**
 * Holds the places of all these protections with a few statements, or none.
 * @returns the ids of the holds, in the order of the protections; null if places were sold since the journeys were
 * found. Then the transaction has locked the capacity of these journeys, so that they can be found again
 */
export async function holdAll(
  tx: Database,
  protections: readonly Protection[],
  { finder, now }: Pick<ProtectionInput, 'finder' | 'now'>,
): Promise<string[] | null> {
  const all = protections.map(({ journey, ...each }) => buildHold(journey, { ...each, finder, now }));
  const isTaken = await takePlacesWithin(tx, { places: all.flatMap(({ places }) => places), now });
  if (!isTaken) return null;
  const rows = all.map(({ hold }) => ({ ...hold, status: 'active' as const }));
  const items = all.flatMap(({ hold, places }) => places.map((item) => ({ holdId: hold.id, ...item })));
  await upsertRows(tx, holds, [holds.id], rows);
  await upsertRows(tx, holdItems, [holdItems.holdId, holdItems.sailingId, holdItems.resource], items);
  return rows.map(({ id }) => id);
}

/**
 * Holds places for the party of a journey on a journey.
 * @returns the hold's id; null if there is no room
 */
export async function holdJourney(
  tx: Database,
  journey: Journey,
  input: ProtectionInput,
): Promise<string | null> {
  const { booked, until } = input;
  const [holdId] = (await holdAll(tx, [{ booked, until, journey }], input)) ?? [];
  return holdId ?? null;
}

function buildHold(
  journey: Journey,
  { booked, finder, until, now }: ProtectionInput,
): { hold: NewHold; places: Places[] } {
  const ends = new Date(
    Math.min(until.getTime(), ...journey.map(({ salesCloseAt }) => salesCloseAt.getTime())),
  );
  const legs = listLegsOfJourney(booked.direction, journey.length);
  return {
    hold: {
      id: newId('hld'),
      request: {
        legs: journey.map(({ id }, index) => ({ sailing_id: id, leg: legs[index] })),
        passengers: [],
        vehicle: booked.party.vehicle,
        bicycles: booked.party.bicycles,
        fare_class: '',
        promo_code: null,
      },
      ...{ total: 0, priceFingerprint: 'protected', expiresAt: ends, expiresAtMax: ends, insertedAt: now },
    },
    places: journey.flatMap((sailing) => listPlaces(booked.party, sailing, finder.catalogue) ?? []),
  };
}
