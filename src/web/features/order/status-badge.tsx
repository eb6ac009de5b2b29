import { type Message, message } from '#messages/translate.ts';
import { t } from '#web/language/texts.ts';
import type { Order } from '#web/platform/api/types.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Popover } from '#web/ui/popup/popover.tsx';
import type { BadgeContent } from './order-status.ts';

/** Statuses of orders that do not go as planned, and why a sailing cannot be bought. */
export type Meaning =
  | Exclude<Order['displayStatus'], 'upcoming' | 'today'>
  | 'sailing_canceled'
  | 'closed_online'
  | 'full'
  | 'space_unknown'
  | 'no_room';

type StatusBadgeProps = BadgeContent & { meaning: Meaning };

/** A status badge with a popover that explains it. */
export function StatusBadge({ tone, label, meaning }: StatusBadgeProps) {
  return (
    <Popover
      label={
        <Badge tone={tone} icon="info">
          {label} <span className="visually-hidden">{t('(what does this mean?)')}</span>
        </Badge>
      }
    >
      {t(MEANINGS[meaning])}
    </Popover>
  );
}

const MEANINGS: Readonly<Record<Meaning, Message>> = {
  paying: message('We have not received the payment yet. Your places are kept for a short time only.'),
  boarded: message('Your tickets were checked at the gate.'),
  used: message('All crossings of this order are over.'),
  changed: message(
    'Something about your trip is different from what you booked. The details are on this page.',
  ),
  canceled: message('The tickets are not valid anymore. What you get back is on this page.'),
  refunded: message('The money was sent back to what you paid with. Banks can take some days to show it.'),
  action_needed: message(
    'You have to decide or do something before you can travel. The notice on this page says what.',
  ),
  expired: message('The payment did not arrive in time, so the order expired. Nothing was charged.'),
  sailing_canceled: message('This sailing does not run. Choose another sailing or another day.'),
  closed_online: message(
    'You cannot buy this sailing online: sales have ended, or the places sold online are gone. The ticket booth may still have places.',
  ),
  full: message('All places are taken. Some can become free again when people cancel.'),
  space_unknown: message('We can’t see how many places are left right now. Ask at the ticket booth.'),
  no_room: message(
    'There are places left, but not enough for everybody and everything you bring: people, vehicles and bicycles are counted separately.',
  ),
};
