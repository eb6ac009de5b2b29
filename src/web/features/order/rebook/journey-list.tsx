import { readCrossingTimes } from '#web/features/sailing/crossing-times.ts';
import { formatShortDay } from '#web/features/site/local-time.ts';
import { listNames } from '#web/language/lists.ts';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
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

/** Journeys with room for the whole party in order of departure, each with a button that takes it. */
export function JourneyList({ journeys, isRunning, onTake }: JourneyListProps) {
  return (
    <RowList
      label={t('Sailings with enough room for you')}
      rows={journeys.toSorted(compareDepartures).flatMap((journey) => {
        const [first] = journey;
        const last = journey.at(-1);
        if (!first || !last) return [];
        const { time, day } = findDeparture(first);
        const { departs, lateness } = readCrossingTimes(first);
        const boats = listNames(journey.map(({ vesselName }) => vesselName));
        const change = journey.length > 1 && t('change at {port}', { port: last.origin.name });
        const arrives = readCrossingTimes(last).arrives;
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
                {[lateness, change].map((part) => part && `${part} · `)}
                {rich('arrives <shown>{time}</shown>', {
                  shown: () => <ShownTime {...arrives} />,
                  time: arrives.text,
                })}{' '}
                · {boats}
              </>
            ),
            action: (
              <Button
                size="small"
                variant="secondary"
                needsConnection
                aria-label={t('Travel at {time}, {day}', { time, day: formatShortDay(day) })}
                isPending={isRunning(journey)}
                onClick={() => onTake(journey)}
              >
                {t('Travel')}
              </Button>
            ),
          },
        ];
      })}
    />
  );
}

function compareDepartures([a]: Leg[], [b]: Leg[]): number {
  return Date.parse(a?.departsAt ?? '') - Date.parse(b?.departsAt ?? '');
}
