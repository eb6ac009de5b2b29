import { type ReactNode, useRef, useState } from 'react';
import type { Leg, Ticket } from '#web/platform/api/types.ts';
import { IconButton } from '#web/ui/button.tsx';
import { GateHint } from './gate-hint.tsx';
import { TicketCard } from './ticket-card.tsx';
import styles from './ticket-set.module.css';

export type TicketSetProps = {
  leg: Leg;
  tickets: readonly Ticket[];
  reference: string;
  brand: string;
  contactName?: string | undefined;
  freshness?: ReactNode;
};

/** The tickets of one crossing: swiped with a thumb, stepped through with the buttons or the arrow keys. */
export function TicketSet({ leg, tickets, reference, brand, contactName, freshness }: TicketSetProps) {
  const list = useRef<HTMLOListElement>(null);
  const [index, setIndex] = useState(0);
  const last = tickets.length - 1;

  function show(next: number) {
    const target = Math.max(0, Math.min(last, next));
    const card = list.current?.children[target];
    setIndex(target);
    if (!(card instanceof HTMLElement) || !list.current) return;
    list.current.scrollTo({ left: card.offsetLeft - list.current.offsetLeft, behavior: scrollBehavior() });
  }

  function follow() {
    const element = list.current;
    if (!element || element.scrollWidth <= element.clientWidth) return;
    const width = (element.firstElementChild?.clientWidth ?? 0) || element.clientWidth;
    setIndex(Math.max(0, Math.min(last, Math.round(element.scrollLeft / width))));
  }

  return (
    <section className={styles.set} aria-label={`Tickets from ${leg.origin.name} to ${leg.destination.name}`}>
      <ol
        ref={list}
        className={styles.list}
        data-many={last > 0 || undefined}
        tabIndex={last > 0 ? 0 : undefined}
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
              freshness={freshness}
            />
          </li>
        ))}
      </ol>
      <GateHint />
      {last > 0 && (
        <div className={styles.bar} data-no-print="">
          <IconButton
            icon="chevron-left"
            label="Previous ticket"
            variant="secondary"
            aria-disabled={index === 0}
            onClick={() => show(index - 1)}
          />
          <output className={styles.position}>
            Ticket {index + 1} of {tickets.length}
          </output>
          <IconButton
            icon="chevron-right"
            label="Next ticket"
            variant="secondary"
            aria-disabled={index === last}
            onClick={() => show(index + 1)}
          />
        </div>
      )}
    </section>
  );
}

function scrollBehavior(): ScrollBehavior {
  return window.matchMedia('(prefers-reduced-motion: reduce)').matches ? 'instant' : 'smooth';
}
