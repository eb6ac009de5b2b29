/** The light outside. */
export type Sky = 'night' | 'dawn' | 'day' | 'dusk';

/** In degrees. */
export type Place = { lat: number; lon: number };
type MaybePlace = { [Axis in keyof Place]: number | null };

const DAY_MS = 86_400_000;
/** Noon of 1 January 2000 in UTC, from which astronomers count. */
const EPOCH = 946_728_000_000;
/** Degrees of the sun above the horizon. */
const FULL_LIGHT = 6;
const NO_LIGHT = -9;

/**
 * The light at a place, by the height of the sun. Its position is accurate to a tenth of a degree.
 * @param instant milliseconds since 1970
 */
export function getSky(instant: number, { lat, lon }: Place): Sky {
  const days = (instant - EPOCH) / DAY_MS;
  const anomaly = radians(357.529 + 0.98560028 * days);
  const longitude = radians(
    280.459 + 0.98564736 * days + 1.915 * Math.sin(anomaly) + 0.02 * Math.sin(2 * anomaly),
  );
  const tilt = radians(23.439);
  const declination = Math.asin(Math.sin(tilt) * Math.sin(longitude));
  const ascension = Math.atan2(Math.cos(tilt) * Math.sin(longitude), Math.cos(longitude));
  const hourAngle = radians(280.4606 + 360.98564737 * days + lon) - ascension;
  const latitude = radians(lat);
  const height = Math.asin(
    Math.sin(latitude) * Math.sin(declination) +
      Math.cos(latitude) * Math.cos(declination) * Math.cos(hourAngle),
  );
  if (height > radians(FULL_LIGHT)) return 'day';
  if (height < radians(NO_LIGHT)) return 'night';
  return Math.sin(hourAngle) < 0 ? 'dawn' : 'dusk';
}

/** The light at the first place whose position is known; null if there is none. */
export function getSkyAt(instant: number, places: readonly MaybePlace[]): Sky | null {
  const place = findPlace(places);
  return place && getSky(instant, place);
}

/** The first position that is known; null if there is none. */
export function findPlace(places: readonly MaybePlace[]): Place | null {
  for (const { lat, lon } of places) if (lat !== null && lon !== null) return { lat, lon };
  return null;
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
