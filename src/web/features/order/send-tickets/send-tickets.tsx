import { useState } from 'react';
import { t } from '#web/language/texts.ts';
import type { Order } from '#web/platform/api/types.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { Disclosure } from '#web/ui/layout/disclosure.tsx';
import { listSendable } from './list-sendable.ts';
import { SendTicketsPanel } from './send-tickets-panel.tsx';

/** Sends tickets to travel companions, and revokes them. Shows nothing once the trip is over. */
export function SendTickets({ order }: { order: Order }) {
  const [isOpened, setIsOpened] = useState(false);
  if (listSendable(order, serverNow()).length === 0) return null;
  return (
    <Disclosure
      icon="person"
      summary={t('Send a ticket to someone')}
      data-no-print=""
      onToggle={() => setIsOpened(true)}
    >
      {isOpened && <SendTicketsPanel order={order} />}
    </Disclosure>
  );
}
