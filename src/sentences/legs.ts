import type { LegName } from '#contract/orders/buy/legs.ts';
import { isOnwardLeg, isReturnLeg } from '#domain/orders/legs.ts';
import type { Translate } from '#messages/translate.ts';

/**
 * Labels that distinguish the legs of an order: "Outbound", "Return", "Outbound, second boat", "Second boat". Null for an
 * order's only boat.
 */
export function describeLeg(t: Translate, leg: LegName, legs: readonly LegName[]): string | null {
  const direction = describeDirection(t, leg, legs);
  if (!hasTransfer(leg, legs)) return direction;
  if (direction === null) return isOnwardLeg(leg) ? t('Second boat') : t('First boat');
  if (isReturnLeg(leg)) return isOnwardLeg(leg) ? t('Return, second boat') : t('Return, first boat');
  return isOnwardLeg(leg) ? t('Outbound, second boat') : t('Outbound, first boat');
}

/** The same as a part of a price line: "Adult, return, second boat". */
export function describeLegOfLine(t: Translate, leg: LegName, legs: readonly LegName[]): string | null {
  const isReturnTrip = legs.some(isReturnLeg);
  if (!hasTransfer(leg, legs)) return isReturnTrip ? (isReturnLeg(leg) ? t('return') : t('outbound')) : null;
  if (!isReturnTrip) return isOnwardLeg(leg) ? t('second boat') : t('first boat');
  if (isReturnLeg(leg)) return isOnwardLeg(leg) ? t('return, second boat') : t('return, first boat');
  return isOnwardLeg(leg) ? t('outbound, second boat') : t('outbound, first boat');
}

/** "Outbound" or "Return" of a return trip, otherwise null. */
export function describeDirection(t: Translate, leg: LegName, legs: readonly LegName[]): string | null {
  if (!legs.some(isReturnLeg)) return null;
  return isReturnLeg(leg) ? t('Return') : t('Outbound');
}

/** The title of a printed ticket: "Ticket", "Return ticket, second boat". */
export function nameTicket(t: Translate, leg: LegName, legs: readonly LegName[]): string {
  if (!hasTransfer(leg, legs)) return isReturnLeg(leg) ? t('Return ticket') : t('Ticket');
  if (isReturnLeg(leg)) {
    return isOnwardLeg(leg) ? t('Return ticket, second boat') : t('Return ticket, first boat');
  }
  return isOnwardLeg(leg) ? t('Ticket, second boat') : t('Ticket, first boat');
}

function hasTransfer(leg: LegName, legs: readonly LegName[]): boolean {
  return legs.some((each) => isOnwardLeg(each) && isReturnLeg(each) === isReturnLeg(leg));
}
