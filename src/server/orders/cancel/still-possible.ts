import type { FarePolicy } from '#contract/catalogue/schemas.ts';
import { isReturnLeg } from '#domain/orders/legs.ts';
import { isBeforeDeadline } from '#domain/refunds/refund-tiers.ts';
import type { TicketRow } from '#server/database/schema/sales.ts';

/**
 * What a customer can still do with tickets that are not refunded.
 * @param input departures: of these tickets, milliseconds since 1970; refundable: other tickets of the order
 */
export function describeStillPossible({
  policy: { change },
  departures,
  refundable,
  now,
}: {
  policy: FarePolicy;
  departures: readonly number[];
  refundable: readonly TicketRow[];
  now: Date;
}): string {
  if (refundable.length > 0) {
    const isReturn = refundable.every(({ leg }) => isReturnLeg(leg));
    return isReturn
      ? 'You can still cancel the return.'
      : 'You can still cancel other tickets of this order.';
  }
  const canChange =
    change.allowed &&
    departures.every((departsAt) =>
      isBeforeDeadline(change.until_minutes, { departsAt, now: now.getTime() }),
    );
  if (canChange) return 'You can still change to another sailing with “Change order” on this page.';
  return departures.every((departsAt) => now.getTime() <= departsAt)
    ? 'Your tickets stay valid.'
    : 'Ask at the ticket booth what we can do for you.';
}
