import { Fragment } from 'react';
import type { Leg } from '#web/platform/api/types.ts';
import { ChangeOfBoats, LegSummary } from './leg-summary.tsx';
import { findFirstBoat, nameWay } from './ways.ts';

/** The crossings of an order as they are travelled, with the changes of boats between them. */
export function LegList({ legs }: { legs: readonly Leg[] }) {
  return legs.map((leg) => {
    const first = findFirstBoat(leg, legs);
    return (
      <Fragment key={leg.leg}>
        <ChangeOfBoats leg={leg} legs={legs} />
        <LegSummary
          crossing={leg}
          from={leg.origin.name}
          to={leg.destination.name}
          name={first === null ? nameWay(leg, legs) : undefined}
          after={first}
        />
      </Fragment>
    );
  });
}
