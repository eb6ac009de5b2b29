import type { ReactNode } from 'react';
import { t } from '#web/language/texts.ts';
import { useReadableOffline } from '#web/platform/connection/readable-offline.ts';
import { DefinitionList } from '#web/ui/data/definition-list.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { ButtonLink, type ButtonLinkProps } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { formatDay, formatTime, localDay } from '../site/local-time.ts';
import { expectedArrival } from './expected-times.ts';
import { findOnwardBoat } from './journeys.ts';
import { BoatTransfer, CrossingLine } from './leg-summary.tsx';
import styles from './next-trip.module.css';
import { findLegBadge } from './order-status.ts';
import { OrderBadge } from './order-title.tsx';
import { formatDepartureDay, formatTimeLeft, type UpcomingLeg } from './trips.ts';

type NextTripProps = {
  trip: UpcomingLeg;
  /** Opens the codes full screen. */
  gate: Pick<ButtonLinkProps, 'to' | 'state'>;
  /** The order's page. */
  to: string;
  now: number;
};

/** The next crossing with what a passenger needs on the way to the terminal. */
export function NextTrip({ trip, gate, to, now }: NextTripProps) {
  useReadableOffline();
  const { order, leg } = trip;
  const left = formatTimeLeft(leg.checkInClosesAt, now);
  return (
    <NextTripCard trip={trip} now={now}>
      <div className={styles.columns}>
        <Stack>
          <CrossingLine size="large" crossing={leg} from={leg.origin.name} to={leg.destination.name} />
          <OnwardBoat trip={trip} />
          {leg.statusText && <p>{leg.statusText}</p>}
          <Actions gate={gate} to={to} />
        </Stack>
        <DefinitionList
          items={[
            {
              term: t('Check in by'),
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
            { term: t('Boat'), details: leg.vesselName },
            ...(leg.origin.address ? [{ term: t('Terminal'), details: leg.origin.address }] : []),
            { term: t('Order'), details: <span translate="no">{order.reference}</span> },
          ]}
        />
      </div>
    </NextTripCard>
  );
}

/** The same in short, above other content. */
export function NextTripBrief({ trip, gate, to, now }: NextTripProps) {
  const { leg } = trip;
  return (
    <NextTripCard trip={trip} now={now}>
      <CrossingLine crossing={leg} from={leg.origin.name} to={leg.destination.name} />
      <OnwardBoat trip={trip} />
      <Actions gate={gate} to={to} />
    </NextTripCard>
  );
}

type NextTripCardProps = Pick<NextTripProps, 'trip' | 'now'> & { children: ReactNode };

function NextTripCard({ trip: { order, leg }, now, children }: NextTripCardProps) {
  const badge = findLegBadge(leg);
  return (
    <Card
      tone="highlight"
      title={t('Your next trip')}
      action={badge ? <Badge tone={badge.tone}>{badge.label}</Badge> : <OrderBadge order={order} />}
      data-order={order.reference}
      data-true-until={new Date(expectedArrival(leg)).toISOString()}
    >
      <Stack>
        <p className={styles.day} data-paint={formatDay(localDay(leg.departsLocal))}>
          {formatDepartureDay(leg, now)}
        </p>
        {children}
      </Stack>
    </Card>
  );
}

/** The second boat of a trip with a transfer. */
function OnwardBoat({ trip: { order, leg } }: Pick<NextTripProps, 'trip'>) {
  const onward = findOnwardBoat(leg, order.legs);
  if (onward === null) return null;
  return (
    <>
      <BoatTransfer leg={onward} legs={order.legs} />
      <CrossingLine crossing={onward} from={onward.origin.name} to={onward.destination.name} />
    </>
  );
}

function Actions({ gate, to }: Pick<NextTripProps, 'gate' | 'to'>) {
  return (
    <Cluster className={styles.actions}>
      <ButtonLink {...gate} size="large" icon="ticket">
        {t('Show tickets')}
      </ButtonLink>
      <ButtonLink to={to} size="large" variant="secondary">
        {t('Order details')}
      </ButtonLink>
    </Cluster>
  );
}
