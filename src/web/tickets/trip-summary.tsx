import { describeParty } from '#sentences/party.ts';
import { nameLeg } from '#web/features/order/order-status.ts';
import { JourneySummary } from '#web/features/sailing/journey-summary.tsx';
import { formatDay } from '#web/features/site/local-time.ts';
import { t } from '#web/language/texts.ts';
import { Card } from '#web/ui/layout/card.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { useIsWide } from '#web/ui/layout/use-is-wide.ts';
import { useDraft } from './purchase.ts';
import type { StepProps } from './steps.ts';
import {
  currentTripSearch,
  type Direction,
  findLegPorts,
  findPortName,
  partySize,
} from './trip/trip-search.ts';
import styles from './trip-summary.module.css';

/** The choices made so far, on wide screens only. */
export function TripSummary({ catalogue, today }: StepProps) {
  const draft = useDraft();
  if (!useIsWide()) return null;
  const trip = currentTripSearch(draft.trip, catalogue, today);
  const legs: Direction[] = trip.tripType === 'return' ? ['out', 'back'] : ['out'];
  return (
    <Card title={t('Your trip')}>
      <Stack>
        {legs.map((leg) => {
          const sailing = leg === 'out' ? draft.outward : draft.back;
          const name = nameLeg(
            { leg },
            legs.map((each) => ({ leg: each })),
          );
          const [from = '', to = ''] = findLegPorts(trip, leg).map((id) => findPortName(catalogue, id));
          return sailing === null ? (
            <div key={leg}>
              <p className={styles.day}>
                {name && <span className="muted">{name}: </span>}
                <span className={styles.date}>{formatDay(leg === 'out' ? trip.outDate : trip.backDate)}</span>
              </p>
              <p>{t('{from} to {to}', { from, to })}</p>
            </div>
          ) : (
            <JourneySummary key={leg} journey={sailing} from={from} to={to} name={name} />
          );
        })}
        <p className={styles.party}>
          {describeParty(t, {
            passengers: partySize(trip),
            vehicles: trip.vehicle === '' ? 0 : 1,
            bicycles: trip.bicycles,
          })}
        </p>
      </Stack>
    </Card>
  );
}
