import { formatClock, formatShortDay, localDay } from '#web/features/site/local-time.ts';
import type { Leg } from '#web/platform/api/types.ts';
import { RowList } from '#web/ui/data/row-list.tsx';
import { Button } from '#web/ui/form/button.tsx';

type JourneyListProps = {
  journeys: readonly Leg[][];
  isRunning: (journey: Leg[]) => boolean;
  onTake: (journey: Leg[]) => void;
};

/** Journeys with room for the whole party, each with a button that takes it. */
export function JourneyList({ journeys, isRunning, onTake }: JourneyListProps) {
  return (
    <RowList
      label="Sailings with room for all of you"
      rows={journeys.flatMap((journey) => {
        const [first] = journey;
        const last = journey.at(-1);
        if (!first || !last) return [];
        const day = formatShortDay(localDay(first.departsLocal));
        const departs = formatClock(first.departsLocal);
        const boats = journey.map(({ vesselName }) => vesselName).join(', ');
        return [
          {
            id: journey.map(({ sailingId }) => sailingId).join(),
            title: `${departs} · ${day}`,
            facts: [
              journey.length > 1 && `change at ${last.origin.name}`,
              `arrives ${formatClock(last.arrivesLocal)}`,
              boats,
            ]
              .filter(Boolean)
              .join(' · '),
            action: (
              <Button
                size="small"
                variant="secondary"
                needsConnection
                aria-label={`Travel at ${departs}, ${day}`}
                isPending={isRunning(journey)}
                onClick={() => onTake(journey)}
              >
                Travel
              </Button>
            ),
          },
        ];
      })}
    />
  );
}
