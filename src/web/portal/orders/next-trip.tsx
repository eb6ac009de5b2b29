import { CrossingLine } from '#web/parts/leg-summary.tsx';
import { formatDay, formatTime, localDay } from '#web/parts/local-time.ts';
import { OrderBadge } from '#web/parts/order-badge.tsx';
import { findLegLook } from '#web/parts/order-status.ts';
import { useStaysInSight } from '#web/platform/connection/screen-in-sight.ts';
import { Badge } from '#web/ui/badge.tsx';
import { ButtonLink } from '#web/ui/button.tsx';
import { Card } from '#web/ui/card.tsx';
import { DefinitionList } from '#web/ui/definition-list.tsx';
import { Stack } from '#web/ui/stack.tsx';
import styles from './next-trip.module.css';
import { formatTimeLeft, formatTripDay, type Trip } from './trips.ts';

export type NextTripProps = { trip: Trip; to: string; now: number };

/** What somebody on the way to the terminal wants to know. */
export function NextTrip({ trip: { order, leg }, to, now }: NextTripProps) {
  useStaysInSight();
  const look = findLegLook(leg);
  const left = formatTimeLeft(leg.checkInClosesAt, now);
  return (
    <Card
      tone="accent"
      title="Your next trip"
      action={look ? <Badge tone={look.tone}>{look.label}</Badge> : <OrderBadge order={order} />}
      data-order={order.reference}
      data-true-until={leg.arrivesAt}
    >
      <Stack>
        <p className={styles.day} data-paint={formatDay(localDay(leg.departsLocal))}>
          {formatTripDay(leg, now)}
        </p>
        <CrossingLine size="large" crossing={leg} from={leg.origin.name} to={leg.destination.name} />
        {leg.statusText && <p>{leg.statusText}</p>}
        <DefinitionList
          items={[
            {
              term: 'Check in by',
              details: (
                <>
                  <strong>{formatTime(leg.checkInClosesLocal, leg.departsZoneLabel)}</strong>
                  {left && (
                    <span className={styles.left} data-paint="">
                      {' '}
                      {left}
                    </span>
                  )}
                </>
              ),
            },
            { term: 'Boat', details: leg.vesselName },
            ...(leg.origin.address ? [{ term: 'Terminal', details: leg.origin.address }] : []),
            { term: 'Order', details: order.reference },
          ]}
        />
        <ButtonLink to={to} size="large" block icon="ticket">
          Show tickets
        </ButtonLink>
      </Stack>
    </Card>
  );
}
