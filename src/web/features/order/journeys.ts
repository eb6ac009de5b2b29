import { getDirection, isOnwardLeg, isReturnLeg } from '#domain/orders/legs.ts';
import { message } from '#messages/translate.ts';
import { describeDirection } from '#sentences/legs.ts';
import { t } from '#web/language/texts.ts';
import type { Leg, Order } from '#web/platform/api/types.ts';
import { formatDuration, minutesBetween } from '../site/local-time.ts';

type LegKey = Pick<Leg, 'leg'>;

/** All crossings of an order, also canceled ones, as they are travelled. */
export function listAllLegs({ legs, canceledLegs = [] }: Pick<Order, 'legs' | 'canceledLegs'>): Leg[] {
  return [...legs, ...canceledLegs].toSorted((a, b) => Date.parse(a.departsAt) - Date.parse(b.departsAt));
}

/** "Outbound" or "Return"; undefined for a one-way trip. */
export function nameJourney({ leg }: LegKey, legs: readonly LegKey[]): string | undefined {
  return describeDirection(t, leg, listNames(legs)) ?? undefined;
}

/** "Tickets", "Return tickets", "Return tickets, second boat". */
export function nameTickets({ leg }: LegKey, legs: readonly LegKey[]): string {
  const direction = legs.some((each) => isReturnLeg(each.leg)) ? getDirection(leg) : 'only';
  const hasTransfer = legs.some(
    (each) => isOnwardLeg(each.leg) && getDirection(each.leg) === getDirection(leg),
  );
  const boat = isOnwardLeg(leg) ? 'second' : 'first';
  return t(TICKETS[direction][hasTransfer ? boat : 'only']);
}

const TICKETS = {
  only: {
    only: message('Tickets'),
    first: message('Tickets, first boat'),
    second: message('Tickets, second boat'),
  },
  out: {
    only: message('Outbound tickets'),
    first: message('Outbound tickets, first boat'),
    second: message('Outbound tickets, second boat'),
  },
  back: {
    only: message('Return tickets'),
    first: message('Return tickets, first boat'),
    second: message('Return tickets, second boat'),
  },
};

/** The leg of the first boat, for a second boat. */
export function findFirstBoat({ leg }: LegKey, legs: readonly Leg[]): Leg | null {
  if (!isOnwardLeg(leg)) return null;
  return legs.find((each) => !isOnwardLeg(each.leg) && isReturnLeg(each.leg) === isReturnLeg(leg)) ?? null;
}

/** The leg of the second boat, for a first boat. */
export function findOnwardBoat(leg: LegKey, legs: readonly Leg[]): Leg | null {
  return legs.find((each) => findFirstBoat(each, legs)?.leg === leg.leg) ?? null;
}

/** Where and how long a passenger changes boats. Null if one of the boats does not sail. */
export function describeTransfer(first: Leg, onward: Leg): string | null {
  if (first.status === 'canceled' || onward.status === 'canceled') return null;
  const planned = minutesBetween(first.arrivesAt, onward.departsAt);
  return formatTransfer(onward.origin.name, planned + onward.delayMinutes - first.delayMinutes);
}

/** "Change at Heron Island · 35 min" */
export function formatTransfer(port: string, minutes: number): string {
  return minutes < 0
    ? t('Change at {port}: you may miss the second boat', { port })
    : t('Change at {port} · {duration}', { port, duration: formatDuration(minutes) });
}

function listNames(legs: readonly LegKey[]): Leg['leg'][] {
  return legs.map(({ leg }) => leg);
}
