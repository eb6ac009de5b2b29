import { formatList } from '#messages/intl.ts';
import type { Translate } from '#messages/translate.ts';

export type StepFree = 'yes' | 'no' | 'partly' | 'unknown';

/** What the operator says about a crossing. `wheelchairPlaces`: null if it does not say. */
type Crossing = {
  origin: { name: string; stepFree: StepFree };
  destination: { name: string; stepFree: StepFree };
  vessel: { wheelchairPlaces: number | null; accessibilityNotes: string };
};

/** Sentences about the ports and the boat of a crossing. Nothing about what the operator does not say. */
export function describeAccessibility(
  t: Translate,
  language: string,
  { origin, destination, vessel }: Crossing,
): string[] {
  const listPorts = (answer: StepFree) => {
    const names = [origin, destination].filter(({ stepFree }) => stepFree === answer).map(({ name }) => name);
    return names.length > 0 && formatList(language, names);
  };
  const [stepFree, partly, steps] = [listPorts('yes'), listPorts('partly'), listPorts('no')];
  return [
    stepFree && t('Step-free way to the boat at {ports}.', { ports: stepFree }),
    partly && t('The way to the boat is partly step-free at {ports}.', { ports: partly }),
    steps && t('There are steps on the way to the boat at {ports}.', { ports: steps }),
    describePlaces(t, vessel),
    vessel.accessibilityNotes,
  ].filter((sentence): sentence is string => Boolean(sentence));
}

/** Empty if the operator does not say. */
export function describePlaces(
  t: Translate,
  { wheelchairPlaces: places }: Pick<Crossing['vessel'], 'wheelchairPlaces'>,
): string {
  if (places === null) return '';
  return places === 0
    ? t('This boat has no wheelchair places.')
    : t('Wheelchair places on this boat: {places}.', { places });
}
