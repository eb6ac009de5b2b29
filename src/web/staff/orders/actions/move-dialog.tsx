import { useState } from 'react';
import { type Direction, getDirection } from '#domain/orders/legs.ts';
import { listJourneysAhead } from '#web/features/order/actions/rules-now.ts';
import { nameJourney } from '#web/features/order/journeys.ts';
import { readCrossingTimes } from '#web/features/sailing/crossing-times.ts';
import { formatShortDay, localDay } from '#web/features/site/local-time.ts';
import { t } from '#web/language/texts.ts';
import type { Leg, StaffOrder } from '#web/platform/api/types.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { useBusyWhile } from '#web/platform/updates/busy.ts';
import { Button } from '#web/ui/form/button.tsx';
import { RadioCards } from '#web/ui/form/radio-cards.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';
import { type ChosenJourney, JourneyPicker } from './journey-picker.tsx';
import { MoveReview } from './move-review.tsx';
import { RebookReview } from './rebook-review.tsx';

type MoveDialogProps = { staffOrder: StaffOrder; onClose: () => void };

/** Moves journeys of an order to boats that the buyer asks for. The party stays as it is. */
export function MoveDialog({ staffOrder, onClose }: MoveDialogProps) {
  const { order } = staffOrder;
  const [starts] = useState(() => listJourneysAhead(order, serverNow()));
  const [which, setWhich] = useState<Direction | 'both'>(starts[0] ? getDirection(starts[0].leg) : 'out');
  const [chosen, setChosen] = useState<Partial<Record<Direction, ChosenJourney>>>({});
  const [isReviewed, setIsReviewed] = useState(false);
  useBusyWhile(true, 'an order being moved');
  const changed = starts.filter(({ leg }) => which === 'both' || which === getDirection(leg));
  const journeys = changed.flatMap(({ leg }) => {
    const direction = getDirection(leg);
    const journey = chosen[direction];
    return journey === undefined ? [] : [{ direction, ...journey }];
  });
  const isComplete = journeys.length > 0 && journeys.length === changed.length;
  if (isReviewed) {
    const review = { staffOrder, onBack: () => setIsReviewed(false), onClose };
    const [only, second] = journeys;
    return only?.hasChoice && second === undefined ? (
      <RebookReview journey={only} {...review} />
    ) : (
      <MoveReview journeys={journeys} {...review} />
    );
  }
  return (
    <Modal
      title={t('Another day or boat')}
      onClose={onClose}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button
            needsConnection
            aria-disabled={!isComplete}
            onClick={() => isComplete && setIsReviewed(true)}
          >
            {t('See the difference')}
          </Button>
        </>
      }
    >
      <Stack>
        {starts.length > 1 && (
          <RadioCards
            legend={t('What to change')}
            value={which}
            onChange={(value) => {
              setWhich(value);
              setChosen({});
            }}
            options={[
              ...starts.map((start) => ({
                value: getDirection(start.leg),
                label: nameJourney(start, order.legs),
                description: describeBoat(start),
              })),
              { value: 'both', label: t('Both ways') },
            ]}
          />
        )}
        {changed.map((start, index) => {
          const direction = getDirection(start.leg);
          const [before] = index === 0 ? [] : (chosen.out?.legs ?? []);
          if (index > 0 && before === undefined) return null;
          return (
            <JourneyPicker
              // The return may leave before another outward boat arrives.
              key={[direction, before?.sailingId].join()}
              staffOrder={staffOrder}
              start={start}
              name={starts.length > 1 ? nameJourney(start, order.legs) : undefined}
              earliest={before && localDay(before.departsLocal)}
              chosen={chosen[direction]}
              onChoose={(journey) => {
                const { [direction]: _, ...others } = direction === 'out' ? {} : chosen;
                setChosen(journey === undefined ? others : { ...others, [direction]: journey });
              }}
            />
          );
        })}
      </Stack>
    </Modal>
  );
}

/** "Fri, Jun 5, 9:30 AM" */
function describeBoat(leg: Leg): string {
  return [formatShortDay(localDay(leg.departsLocal)), readCrossingTimes(leg).departs.text].join(', ');
}
