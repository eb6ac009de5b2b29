import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';
import { describeTicket } from '#domain/orders/describe-ticket.ts';
import { OrderName } from '#web/features/order/order-name.tsx';
import type { Leg, Ticket } from '#web/platform/api/types.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { TicketFrame } from '#web/ui/data/ticket-frame.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { LegSummary } from '../order/leg-summary.tsx';
import { formatTime } from '../site/local-time.ts';
import { QrCode } from './qr-code.tsx';
import { getTicketBadge } from './ticket-badge.ts';
import styles from './ticket-card.module.css';
import type { TicketHolder } from './tickets-of-order.ts';

type TicketCardProps = {
  order: TicketHolder;
  leg: Leg;
  ticket: Ticket;
  /** All tickets of the crossing. */
  tickets: readonly Ticket[];
  /** Opens the code full screen. */
  gateLink: Pick<LinkProps, 'to' | 'state'>;
  /** When the ticket was loaded or saved. */
  freshness: ReactNode;
};

export function TicketCard({ order, leg, ticket, tickets, gateLink, freshness }: TicketCardProps) {
  const { brand } = useSettings();
  const [who, detail] = describeTicket(ticket, tickets);
  const { label, tone, isVoid } = getTicketBadge(ticket, leg);
  const code = <QrCode payload={ticket.barcode.payload} label={`Ticket code ${ticket.boardingCode}`} />;
  return (
    <TicketFrame
      header={
        <>
          <span className={styles.title}>
            <bdi className={styles.who}>{who}</bdi>
            {detail !== null && <span className={styles.party}>{detail}</span>}
          </span>
          <Badge tone={tone}>{label}</Badge>
        </>
      }
      isVoid={isVoid}
      voidText={label}
      code={
        isVoid ? (
          code
        ) : (
          <Link {...gateLink} className={styles.code}>
            {code}
            <span className="visually-hidden"> full screen</span>
          </Link>
        )
      }
      codeCaption={
        <>
          <span className={styles.boardingCode} translate="no">
            {ticket.boardingCode}
          </span>
          <span className={styles.small}>
            {brand.name} · <OrderName reference={order.reference} />
            {!ticket.travelerName && order.contact && ` · ${order.contact.name}`}
          </span>
          <span className={styles.small}>{freshness}</span>
        </>
      }
    >
      <LegSummary crossing={leg} from={leg.origin.name} to={leg.destination.name} />
      <dl className={styles.facts}>
        <div>
          <dt>Check in by</dt>
          <dd>{formatTime(leg.checkInClosesLocal, leg.departsZoneLabel)}</dd>
        </div>
        <div>
          <dt>Boat</dt>
          <dd>{leg.vesselName}</dd>
        </div>
      </dl>
    </TicketFrame>
  );
}
