import { readCrossingTimes } from '#web/features/sailing/crossing-times.ts';
import { formatShortDay } from '#web/features/site/local-time.ts';
import type { Leg } from '#web/platform/api/types.ts';
import { RowList } from '#web/ui/data/row-list.tsx';
import { ShownTime } from '#web/ui/data/shown-time.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { findDeparture } from './choice-texts.ts';

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
        const { time, day } = findDeparture(first);
        const { departs, lateness } = readCrossingTimes(first);
        const boats = journey.map(({ vesselName }) => vesselName).join(', ');
        const change = journey.length > 1 && `change at ${last.origin.name}`;
        return [
          {
            id: journey.map(({ sailingId }) => sailingId).join(),
            title: (
              <>
                <ShownTime {...departs} /> · {formatShortDay(day)}
              </>
            ),
            details: (
              <>
                {[lateness, change, 'arrives '].filter(Boolean).join(' · ')}
                <ShownTime {...readCrossingTimes(last).arrives} /> · {boats}
              </>
            ),
            action: (
              <Button
                size="small"
                variant="secondary"
                needsConnection
                aria-label={`Travel at ${time}, ${formatShortDay(day)}`}
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
