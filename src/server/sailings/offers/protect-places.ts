import { takePlacesWithin } from '#server/capacity/places.ts';
import { newId } from '#server/core/ids.ts';
import type { Database } from '#server/database/database.ts';
import type { BookedWay } from './affected-ways.ts';
import { type Journey, type JourneyFinder, type JourneyLimits, listPlaces } from './find-journeys.ts';

type ProtectionInput = {
  way: BookedWay;
  finder: JourneyFinder;
  limits: JourneyLimits;
  /** The protection also ends with the sales of the protected sailings. */
  until: Date;
  now: Date;
};

/**
 * Holds places for the party of a way on the next journey that has room for all of it.
 * @returns null if there is none
 */
export async function protectPlaces(
  tx: Database,
  input: ProtectionInput,
): Promise<{ holdId: string; journey: Journey } | null> {
  const { way, finder, limits } = input;
  const full = new Set<string>();
  for (;;) {
    const journeys = await finder.list(way, limits);
    const journey = journeys.find((each) => !full.has(describe(each)));
    if (!journey) return null;
    const holdId = await holdJourney(tx, journey, input);
    await finder.refresh(journey);
    if (holdId !== null) return { holdId, journey };
    // Sold since the timetable was read.
    full.add(describe(journey));
  }
}

function describe(journey: Journey): string {
  return journey.map(({ id }) => id).join();
}

/**
 * Holds places for the party of a way on a journey.
 * @returns the hold's id; null if there is no room
 */
export async function holdJourney(
  tx: Database,
  journey: Journey,
  { way, finder, until, now }: Omit<ProtectionInput, 'limits'>,
): Promise<string | null> {
  const ends = Math.min(until.getTime(), ...journey.map(({ salesCloseAt }) => salesCloseAt.getTime()));
  const id = newId('hld');
  const legs = [way.way, `${way.way}_onward`] as const;
  const isHeld = await takePlacesWithin(tx, {
    hold: {
      id,
      request: {
        legs: journey.map(({ id: sailingId }, index) => ({ sailing_id: sailingId, leg: legs[index] })),
        passengers: [],
        vehicle: way.party.vehicle,
        bicycles: way.party.bicycles,
        fare_class: '',
        promo_code: null,
      },
      total: 0,
      priceFingerprint: 'protected',
      expiresAt: new Date(ends),
      expiresAtMax: new Date(ends),
      now,
    },
    places: journey.flatMap((sailing) => listPlaces(way.party, sailing, finder.catalogue) ?? []),
  });
  return isHeld ? id : null;
}
