import type { FarePolicy } from '#contract/catalogue/schemas.ts';
import { isReturnLeg } from '#domain/orders/legs.ts';
import { isBeforeDeadline } from '#domain/refunds/refund-tiers.ts';
import type { Remedy } from '#sentences/errors/error-reasons.ts';
import type { TicketRow } from '#server/database/schema/sales.ts';

/**
 * What a customer can still do with tickets that are not refunded.
 * @param input departures: of these tickets, milliseconds since 1970; refundable: other tickets of the order
 */
export function findRemedy({
  policy: { change },
  departures,
  refundable,
  now,
}: {
  policy: FarePolicy;
  departures: readonly number[];
  refundable: readonly TicketRow[];
  now: Date;
}): Remedy {
  if (refundable.length > 0) {
    const isReturn = refundable.every(({ leg }) => isReturnLeg(leg));
    return isReturn ? 'cancel_return' : 'cancel_others';
  }
  const canChange =
    change.allowed &&
    departures.every((departsAt) =>
      isBeforeDeadline(change.until_minutes, { departsAt, now: now.getTime() }),
    );
  if (canChange) return 'change';
  return departures.every((departsAt) => now.getTime() <= departsAt) ? 'travel' : 'ask';
}
