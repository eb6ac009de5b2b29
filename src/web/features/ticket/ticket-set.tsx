import type { ReactNode } from 'react';
import type { LinkProps } from 'react-router';
import type { Leg, Ticket } from '#web/platform/api/types.ts';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { ListStepper } from '../order/list-stepper.tsx';
import { GateHint } from './gate-hint.tsx';
import { TicketCard } from './ticket-card.tsx';
import styles from './ticket-set.module.css';
import { useSwipeList } from './use-swipe-list.ts';

export type TicketSetProps = {
  leg: Leg;
  tickets: readonly Ticket[];
  reference: string;
  brand: string;
  contactName?: string | undefined;
  freshness?: ReactNode;
  /** Of the code of all who travel; null where there is none. */
  partyPass: string | null;
  /** Where the codes are shown full screen, beginning with this one. */
  gateLink: (passId: string) => Pick<LinkProps, 'to' | 'state'>;
};

/** The tickets of one crossing: swiped with a thumb, stepped through with the buttons or the arrow keys. */
export function TicketSet({
  leg,
  tickets,
  reference,
  brand,
  contactName,
  freshness,
  partyPass,
  gateLink,
}: TicketSetProps) {
  const { list, index, show, follow } = useSwipeList(tickets.length);
  const isSeveral = tickets.length > 1;
  return (
    <section className={styles.set} aria-label={`Tickets from ${leg.origin.name} to ${leg.destination.name}`}>
      <ol
        ref={list}
        className={styles.list}
        data-many={isSeveral || undefined}
        tabIndex={isSeveral ? 0 : undefined}
        aria-label="Tickets"
        onScroll={follow}
      >
        {tickets.map((ticket) => (
          <li key={ticket.id} className={styles.item}>
            <TicketCard
              ticket={ticket}
              leg={leg}
              reference={reference}
              brand={brand}
              contactName={contactName}
              tickets={tickets}
              freshness={freshness}
              gateLink={gateLink(ticket.id)}
            />
          </li>
        ))}
      </ol>
      {isSeveral && (
        <div className={styles.stepper}>
          <ListStepper item="ticket" index={index} count={tickets.length} onShow={show} />
        </div>
      )}
      <p className={styles.open} data-no-print="">
        <ButtonLink {...gateLink(partyPass ?? tickets[index]?.id ?? '')} variant="secondary" icon="ticket">
          {partyPass === null ? 'Show full screen' : 'Show one code for everyone'}
        </ButtonLink>
      </p>
      <GateHint asOf={tickets[0]?.asOf ?? ''} />
    </section>
  );
}
