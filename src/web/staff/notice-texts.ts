import { t } from '#web/language/texts.ts';
import { notify } from '#web/platform/notifications/notifications.ts';

type Notices = { notified: number; unpaidNotified: number };

/** Whose passengers and buyers are written to. */
export function describeNotices({ notified, unpaidNotified }: Notices): string[] {
  const paid = t(
    '{count, plural, =0 {No passengers are written to.} one {Passengers of # order are written to.} other {Passengers of # orders are written to.}}',
    { count: notified },
  );
  if (unpaidNotified === 0) return [paid];
  return [
    paid,
    t(
      '{count, plural, one {# order that waits for payment is canceled, and its buyer is written to.} other {# orders that wait for payment are canceled, and their buyers are written to.}}',
      { count: unpaidNotified },
    ),
  ];
}

/** About orders that no message reaches. */
export function askToCall(count: number): string {
  return t(
    '{count, plural, one {# order cannot be reached by a message. Call them.} other {# orders cannot be reached by a message. Call them.}}',
    { count },
  );
}

/** Says that a change is made. `unreachable`: the number of orders that no message reaches. */
export function notifyDone(notices: Notices, unreachable: number): void {
  const sentences = [t('Done.'), ...describeNotices(notices)];
  if (unreachable > 0) sentences.push(askToCall(unreachable));
  notify(sentences.join(' '), { type: 'success' });
}
