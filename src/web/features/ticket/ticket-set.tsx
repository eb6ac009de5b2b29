import type { ReactNode } from 'react';
import type { LinkProps } from 'react-router';
import { t } from '#web/language/texts.ts';
import type { Leg, Ticket } from '#web/platform/api/types.ts';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { Fold } from '#web/ui/layout/fold.tsx';
import { ListStepper } from '../order/list-stepper.tsx';
import { GateHint } from './gate-hint.tsx';
import { getTicketBadge } from './ticket-badge.ts';
import { PartyCard, TicketCard } from './ticket-card.tsx';
import styles from './ticket-set.module.css';
import { findPartyCode, listTicketsOfLeg, partyPassId, type TicketHolder } from './tickets-of-order.ts';
import { useSwipeList } from './use-swipe-list.ts';

type TicketSetProps = {
  order: TicketHolder;
  leg: Leg;
  freshness: ReactNode;
  /** Opens the codes full screen, beginning with this one. */
  gateLink: (passId: string) => Pick<LinkProps, 'to' | 'state'>;
};

/** The tickets of one crossing: one code for all who travel together, with each ticket below it. */
export function TicketSet(props: TicketSetProps) {
  const { order, leg, gateLink } = props;
  const tickets = listTicketsOfLeg(order, leg);
  const party = findPartyCode(order, leg);
  return (
    <section
      className={styles.set}
      aria-label={t('Tickets from {from} to {to}', { from: leg.origin.name, to: leg.destination.name })}
    >
      {party === null ? (
        <TicketList {...props} tickets={tickets} />
      ) : (
        <>
          <div className={styles.party}>
            <PartyCard {...props} party={party} tickets={tickets} gateLink={gateLink(partyPassId(party))} />
          </div>
          <FullScreen to={gateLink(partyPassId(party))} asOf={order.asOf} />
          <Fold title={t('Each ticket')} note={tickets.length}>
            <TicketList {...props} tickets={tickets} />
          </Fold>
        </>
      )}
    </section>
  );
}

type TicketListProps = TicketSetProps & { tickets: readonly Ticket[] };

/** Swiped with a thumb, stepped through with the buttons or the arrow keys. */
function TicketList({ order, leg, freshness, gateLink, tickets }: TicketListProps) {
  const { list, index, show, follow } = useSwipeList(tickets.length);
  const isSeveral = tickets.length > 1;
  const hasValid = tickets.some((ticket) => !getTicketBadge(ticket, leg).isVoid);
  return (
    <>
      <ol
        ref={list}
        className={styles.list}
        data-many={isSeveral || undefined}
        tabIndex={isSeveral ? 0 : undefined}
        aria-label={t('Tickets')}
        onScroll={follow}
      >
        {tickets.map((ticket) => (
          <li key={ticket.id} className={styles.item}>
            <TicketCard
              order={order}
              leg={leg}
              ticket={ticket}
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
      {hasValid && findPartyCode(order, leg) === null && (
        <FullScreen to={gateLink(tickets[index]?.id ?? '')} asOf={tickets[0]?.asOf ?? ''} />
      )}
    </>
  );
}

function FullScreen({ to, asOf }: { to: Pick<LinkProps, 'to' | 'state'>; asOf: string }) {
  return (
    <>
      <p data-no-print="">
        <ButtonLink {...to} variant="secondary" icon="ticket">
          {t('Show full screen')}
        </ButtonLink>
      </p>
      <GateHint asOf={asOf} />
    </>
  );
}
