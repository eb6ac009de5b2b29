import { useEffect } from 'react';
import type { Leg } from '#web/platform/api/types.ts';
import { badgeTodaysCrossings } from '#web/platform/install/badge.ts';
import { isInstalled } from '#web/platform/install/device.ts';
import { expectedArrival } from '../order/expected-times.ts';

type Booked = { status: string; legs: readonly Leg[] };

/** The installed app's icon counts the crossings of today. `orders` must stay the same while nothing changed. */
export function useTodaysBadge(orders: readonly Booked[] | undefined): void {
  useEffect(() => {
    if (orders === undefined || !isInstalled()) return;
    const legs = orders
      .filter(({ status }) => status === 'confirmed' || status === 'partly_canceled')
      .flatMap((order) => order.legs)
      .filter(({ status }) => status !== 'canceled')
      .map((leg) => ({ ...leg, arrivesAt: new Date(expectedArrival(leg)).toISOString() }));
    badgeTodaysCrossings(legs);
  }, [orders]);
}
