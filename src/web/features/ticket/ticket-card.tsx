import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';
import { describeParty } from '#sentences/party.ts';
import { describeTicket } from '#sentences/tickets.ts';
import { OrderName } from '#web/features/order/order-title.tsx';
import { t } from '#web/language/texts.ts';
import type { Leg, PartyCode, Ticket } from '#web/platform/api/types.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { TicketFrame } from '#web/ui/data/ticket-frame.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { LegSummary } from '../order/leg-summary.tsx';
import { formatTime } from '../site/local-time.ts';
import { CoveredCode, QrCode } from './qr-code.tsx';
import { getPartyBadge, getTicketBadge, type TicketBadgeContent } from './ticket-badge.ts';
import styles from './ticket-card.module.css';
import type { TicketHolder } from './tickets-of-order.ts';

type SharedProps = {
  order: TicketHolder;
  leg: Leg;
  /** All tickets of the crossing. */
  tickets: readonly Ticket[];
  /** Opens the code full screen. */
  gateLink: Pick<LinkProps, 'to' | 'state'>;
  /** When the ticket was loaded or saved. */
  freshness: ReactNode;
};

export function TicketCard({ ticket, ...shared }: SharedProps & { ticket: Ticket }) {
  const { order, leg, tickets } = shared;
  const [who, detail] = describeTicket(t, ticket, tickets);
  return (
    <PassCard
      {...shared}
      who={<bdi className={styles.who}>{who}</bdi>}
      detail={detail}
      badge={getTicketBadge(ticket, leg)}
      payload={ticket.barcode.payload}
      label={t('Ticket code {code}', { code: ticket.boardingCode })}
      boardingCode={ticket.boardingCode}
      holder={ticket.travelerName ? undefined : order.contact?.name}
    />
  );
}

/** The one code of all who travel on a crossing. */
export function PartyCard({ party, ...shared }: SharedProps & { party: PartyCode }) {
  const { order, leg, tickets } = shared;
  const description = describeParty(t, party);
  return (
    <PassCard
      {...shared}
      who={<span className={styles.who}>{t('Everyone')}</span>}
      detail={description}
      badge={getPartyBadge(tickets, leg)}
      payload={party.barcode.payload}
      label={t('Ticket code for {party}', { party: description })}
      holder={order.contact?.name}
    />
  );
}

type PassCardProps = SharedProps & {
  who: ReactNode;
  detail: string | null;
  badge: TicketBadgeContent;
  /** Empty for staff, who see no code that a gate would scan. */
  payload: string;
  /** Of the code, for screen readers. */
  label: string;
  boardingCode?: string;
  /** Named below the code if it does not name its holder. */
  holder: string | undefined;
};

function PassCard(props: PassCardProps) {
  const { order, leg, gateLink, freshness, who, detail, badge, payload, label, boardingCode, holder } = props;
  const { brand } = useSettings();
  const { isVoid } = badge;
  const code = payload === '' ? <CoveredCode /> : <QrCode payload={payload} label={label} />;
  return (
    <TicketFrame
      header={
        <>
          <span className={styles.title}>
            {who}
            {detail !== null && <span className={styles.party}>{detail}</span>}
          </span>
          <Badge tone={badge.tone}>{badge.label}</Badge>
        </>
      }
      isVoid={isVoid}
      voidText={badge.label}
      code={
        isVoid || payload === '' ? (
          code
        ) : (
          <Link {...gateLink} className={styles.code}>
            {code}
            {/* Translators: follows "Ticket code …" as the name of a link. */}
            <span className="visually-hidden"> {t('full screen')}</span>
          </Link>
        )
      }
      codeCaption={
        <>
          {boardingCode && (
            <span className={styles.boardingCode} translate="no">
              {boardingCode}
            </span>
          )}
          <span className={styles.small}>
            {brand.name} · <OrderName reference={order.reference} />
            {holder && ` · ${holder}`}
          </span>
          <span className={styles.small}>{freshness}</span>
        </>
      }
    >
      <LegSummary crossing={leg} from={leg.origin.name} to={leg.destination.name} />
      <dl className={styles.facts}>
        <div>
          <dt>{t('Check in by')}</dt>
          <dd>{formatTime(leg.checkInClosesLocal, leg.departsZoneLabel)}</dd>
        </div>
        <div>
          <dt className="visually-hidden">{t('Boat')}</dt>
          <dd>{leg.vesselName}</dd>
        </div>
      </dl>
    </TicketFrame>
  );
}
