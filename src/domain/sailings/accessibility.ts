export type StepFree = 'yes' | 'no' | 'partly' | 'unknown';

/** What the operator says about a crossing. `wheelchairPlaces`: null if it does not say. */
type Crossing = {
  origin: { name: string; stepFree: StepFree };
  destination: { name: string; stepFree: StepFree };
  vessel: { wheelchairPlaces: number | null; accessibilityNotes: string };
};

const PORT_SENTENCES = {
  yes: 'Step-free way to the boat at',
  partly: 'The way to the boat is partly step-free at',
  no: 'There are steps on the way to the boat at',
} as const;

/** Sentences about the ports and the boat of a crossing. Nothing about what the operator does not say. */
export function describeAccessibility({ origin, destination, vessel }: Crossing): string[] {
  const ports = [origin, destination];
  const ofPorts = (['yes', 'partly', 'no'] as const).flatMap((answer) => {
    const names = ports.filter(({ stepFree }) => stepFree === answer).map(({ name }) => name);
    return names.length > 0 ? [`${PORT_SENTENCES[answer]} ${names.join(' and ')}.`] : [];
  });
  return [...ofPorts, describePlaces(vessel), vessel.accessibilityNotes].filter(Boolean);
}

function describePlaces({ wheelchairPlaces }: Crossing['vessel']): string {
  if (wheelchairPlaces === null) return '';
  return wheelchairPlaces === 0
    ? 'This boat has no wheelchair places.'
    : `Wheelchair places on this boat: ${wheelchairPlaces}.`;
}
