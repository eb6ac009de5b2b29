import { Fragment } from 'react';
import type { Leg } from '#web/platform/api/types.ts';
import { findFirstBoat, nameJourney } from './journeys.ts';
import { BoatTransfer, LegSummary } from './leg-summary.tsx';

/** The crossings of an order as they are travelled, with the changes of boats between them. */
export function LegList({ legs }: { legs: readonly Leg[] }) {
  return legs.map((leg) => {
    const first = findFirstBoat(leg, legs);
    return (
      <Fragment key={leg.leg}>
        <BoatTransfer leg={leg} legs={legs} />
        <LegSummary
          crossing={leg}
          from={leg.origin.name}
          to={leg.destination.name}
          name={first === null ? nameJourney(leg, legs) : undefined}
          after={first}
        />
      </Fragment>
    );
  });
}
