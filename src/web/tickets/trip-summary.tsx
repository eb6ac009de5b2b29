import { describeParty } from '#domain/fares/party.ts';
import { LegSummary } from '#web/features/order/leg-summary.tsx';
import { legName } from '#web/features/order/order-status.ts';
import { formatDay } from '#web/features/site/local-time.ts';
import type { Catalogue } from '#web/platform/api/types.ts';
import type { IsoDate } from '#web/ui/calendar/calendar.ts';
import { Card } from '#web/ui/layout/card.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { useIsWide } from '#web/ui/layout/use-is-wide.ts';
import { useDraft } from './draft.ts';
import { currentTrip, findLegRoute, type LegName, partySize } from './trip/trip.ts';
import styles from './trip-summary.module.css';

type TripSummaryProps = { catalogue: Catalogue; today: IsoDate };

/** The trip as far as it is chosen, beside the step on wide screens. Elsewhere there is no room for it. */
export function TripSummary({ catalogue, today }: TripSummaryProps) {
  const { trip: draft, outward, back } = useDraft();
  if (!useIsWide()) return null;
  const trip = currentTrip(draft, catalogue, today);
  const legs: LegName[] = trip.way === 'return' ? ['out', 'back'] : ['out'];
  const portName = (id: string | undefined) => catalogue.ports.find((port) => port.id === id)?.name ?? '';
  return (
    <Card title="Your trip">
      <Stack>
        {legs.map((leg) => {
          const route = findLegRoute(catalogue, trip, leg);
          const sailing = leg === 'out' ? outward : back;
          const name = legs.length > 1 ? legName(leg, legs.length) : undefined;
          const from = portName(route?.originPortId);
          const to = portName(route?.destinationPortId);
          return sailing === null ? (
            <div key={leg}>
              <p className={styles.day}>
                {name && <span className={styles.quiet}>{name}: </span>}
                <span className={styles.date}>{formatDay(leg === 'out' ? trip.outDate : trip.backDate)}</span>
              </p>
              <p>
                {from} to {to}
              </p>
            </div>
          ) : (
            <LegSummary key={leg} crossing={sailing} from={from} to={to} name={name} />
          );
        })}
        <p className={styles.party}>
          {describeParty({
            passengers: partySize(trip),
            vehicles: trip.vehicle === '' ? 0 : 1,
            bicycles: trip.bicycles,
          })}
        </p>
      </Stack>
    </Card>
  );
}
