import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';
import { describeTicket } from '#domain/orders/describe-ticket.ts';
import type { Leg, Ticket } from '#web/platform/api/types.ts';
import { TicketFrame } from '#web/ui/data/ticket-frame.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { LegSummary } from '../order/leg-summary.tsx';
import { getTicketBadge } from '../order/order-status.ts';
import { formatTime } from '../site/local-time.ts';
import { QrCode } from './qr-code.tsx';
import styles from './ticket-card.module.css';

export type TicketCardProps = {
  ticket: Ticket;
  leg: Leg;
  reference: string;
  brand: string;
  /** Of the whole order: the name the party travels under. */
  contactName?: string | undefined;
  /** All of the crossing. */
  tickets: readonly Ticket[];
  /** Where the code is shown full screen. */
  gateLink: Pick<LinkProps, 'to' | 'state'>;
  /** One line of truth about age, such as "Saved on this phone 8:12 AM". */
  freshness?: ReactNode;
};

export function TicketCard({
  ticket,
  leg,
  reference,
  brand,
  contactName,
  tickets,
  gateLink,
  freshness,
}: TicketCardProps) {
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
          <Badge tone={isVoid ? 'danger' : tone}>{label}</Badge>
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
          <span className={styles.boardingCode}>{ticket.boardingCode}</span>
          <span className={styles.small}>
            {brand} · Order {reference}
            {contactName && !ticket.travelerName && ` · ${contactName}`}
          </span>
          {freshness && <span className={styles.small}>{freshness}</span>}
        </>
      }
    >
      <LegSummary crossing={leg} from={leg.origin.name} to={leg.destination.name} />
      <dl className={styles.facts}>
        <Fact term="Check in by">{formatTime(leg.checkInClosesLocal, leg.departsZoneLabel)}</Fact>
        <Fact term="Boat">{leg.vesselName}</Fact>
      </dl>
    </TicketFrame>
  );
}

function Fact({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd>{children}</dd>
    </div>
  );
}
