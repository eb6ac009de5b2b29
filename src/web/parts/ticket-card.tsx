import type { ReactNode } from 'react';
import type { Leg, Ticket } from '#web/platform/api/types.ts';
import { Badge } from '#web/ui/badge.tsx';
import { DefinitionList } from '#web/ui/definition-list.tsx';
import { RouteLine } from '#web/ui/route-line.tsx';
import { TicketFrame } from '#web/ui/ticket-frame.tsx';
import { formatDay, formatDuration, formatTime, localDay, minutesBetween } from './local-time.ts';
import { ticketLooks } from './order-status.ts';
import { QrCode } from './qr-code.tsx';
import styles from './ticket-card.module.css';

export type TicketCardProps = {
  ticket: Ticket;
  leg: Leg;
  reference: string;
  brand: string;
  /** Of the whole order: the name the party travels under. */
  contactName?: string | undefined;
  /** One line of truth about age, such as "Saved on this phone 8:12 AM". */
  freshness?: ReactNode;
};

export function TicketCard({ ticket, leg, reference, brand, contactName, freshness }: TicketCardProps) {
  const look = ticketLooks[ticket.status];
  const isVoid = look.isVoid || leg.status === 'cancelled';
  const duration = minutesBetween(leg.departsAt, leg.arrivesAt);
  return (
    <TicketFrame
      header={
        <>
          <span>{brand}</span>
          <Badge tone={isVoid ? 'danger' : look.tone}>
            {leg.status === 'cancelled' ? 'Sailing cancelled' : look.label}
          </Badge>
        </>
      }
      isVoid={isVoid}
      voidText={leg.status === 'cancelled' ? 'Sailing cancelled' : look.label}
      code={<QrCode payload={ticket.barcode.payload} label={`Ticket code ${ticket.boardingCode}`} />}
      codeCaption={
        <>
          <span className={styles.boardingCode}>{ticket.boardingCode}</span>
          {freshness && <span className={styles.freshness}>{freshness}</span>}
        </>
      }
    >
      <p className={styles.who}>
        <span className={styles.title}>{ticket.title}</span>
        <span className={styles.party}>
          {ticket.partyIndex} of {ticket.partySize}
        </span>
      </p>
      <p className={styles.day}>{formatDay(localDay(leg.departsLocal))}</p>
      <RouteLine
        from={{
          place: leg.origin.name,
          time: formatTime(leg.departsLocal, leg.departsZoneLabel),
          dateTime: leg.departsAt,
        }}
        to={{
          place: leg.destination.name,
          time: formatTime(leg.arrivesLocal, leg.arrivesZoneLabel),
          dateTime: leg.arrivesAt,
        }}
        duration={formatDuration(duration)}
      />
      <div className={styles.facts}>
        <DefinitionList
          items={[
            {
              term: 'Check in before',
              details: <strong>{formatTime(leg.checkInClosesLocal, leg.departsZoneLabel)}</strong>,
            },
            { term: 'Boat', details: leg.vesselName },
            ...(contactName ? [{ term: 'Booked by', details: contactName }] : []),
            { term: 'Order', details: reference },
          ]}
        />
      </div>
    </TicketFrame>
  );
}
