import { listNames } from '#web/language/lists.ts';
import { t } from '#web/language/texts.ts';
import type { Leg } from '#web/platform/api/types.ts';
import { type Crossing, readCrossingTimes } from './crossing-times.ts';

export type Boat = Crossing & Pick<Leg, 'vesselName'> & Partial<Pick<Leg, 'origin'>>;

/** "7:20 AM · arrives 7:55 AM · MV Tidewater" */
export function describeJourney(journey: readonly Boat[]): string {
  const [first] = journey;
  const last = journey.at(-1);
  if (!first || !last) return '';
  const { departs, lateness } = readCrossingTimes(first);
  return [
    departs.text,
    lateness,
    journey.length > 1 && last.origin && t('change at {port}', { port: last.origin.name }),
    t('arrives {time}', { time: readCrossingTimes(last).arrives.text }),
    listNames(journey.map(({ vesselName }) => vesselName)),
  ]
    .filter(Boolean)
    .join(' · ');
}
