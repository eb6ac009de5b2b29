import { describeParty } from '#sentences/party.ts';
import { describeTicket } from '#sentences/tickets.ts';
import { listAllLegs } from '#web/features/order/journeys.ts';
import { BoatTransfer } from '#web/features/order/leg-summary.tsx';
import { findLegBadge, nameLeg } from '#web/features/order/order-status.ts';
import { OrderName } from '#web/features/order/order-title.tsx';
import { readCrossingTimes } from '#web/features/sailing/crossing-times.ts';
import { SavedAge } from '#web/features/saved-offline/saved-age.tsx';
import { formatShortDay, localDay } from '#web/features/site/local-time.ts';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import type { Leg, Ticket } from '#web/platform/api/types.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { ShownTime } from '#web/ui/data/shown-time.tsx';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { QrCode } from '../qr-code.tsx';
import { getTicketBadge } from '../ticket-badge.ts';
import {
  findPartyCode,
  listLegsByUse,
  listTicketsOfLeg,
  partyPassId,
  type TicketHolder,
} from '../tickets-of-order.ts';
import styles from './gate-details.module.css';
import { type GatePass, GateView } from './gate-view.tsx';

type OrderGateProps = {
  order: TicketHolder;
  isFresh: boolean;
  /** Id of the ticket to show first. */
  at?: string | undefined;
  onClose: () => void;
};

/** All codes of an order, those of the next crossing first, and of each crossing the party's code before the tickets'. */
export function OrderGate({ order, isFresh, at, onClose }: OrderGateProps) {
  const passes = listLegsByUse(order, serverNow()).flatMap((leg) => createPasses(order, leg, isFresh));
  return (
    <GateView
      title={t('Your tickets')}
      item="code"
      passes={passes}
      at={at}
      asOf={order.asOf}
      onClose={onClose}
    />
  );
}

function createPasses(order: TicketHolder, leg: Leg, isFresh: boolean): GatePass[] {
  const tickets = listTicketsOfLeg(order, leg);
  const party = findPartyCode(order, leg);
  const shared = { order, leg, isFresh };
  return [
    ...(party === null
      ? []
      : [
          {
            id: partyPassId(party),
            code: (
              <QrCode
                payload={party.barcode.payload}
                label={t('Ticket code for {party}', { party: describeParty(t, party) })}
              />
            ),
            details: <Details {...shared} who={t('Everyone: {party}', { party: describeParty(t, party) })} />,
          },
        ]),
    ...tickets.map((ticket) => ({
      id: ticket.id,
      code: <TicketCode ticket={ticket} leg={leg} />,
      details: <Details {...shared} who={describeHolder(ticket, tickets)} ticket={ticket} />,
    })),
  ];
}

function TicketCode({ ticket, leg }: { ticket: Ticket; leg: Leg }) {
  const { isVoid, label } = getTicketBadge(ticket, leg);
  if (isVoid) return <p className={styles.void}>{label}</p>;
  return (
    <QrCode payload={ticket.barcode.payload} label={t('Ticket code {code}', { code: ticket.boardingCode })} />
  );
}

type DetailsProps = { order: TicketHolder; leg: Leg; isFresh: boolean; who: string; ticket?: Ticket };

function Details({ order, leg, isFresh, who, ticket }: DetailsProps) {
  const name = nameLeg(leg, listAllLegs(order));
  const { departs } = readCrossingTimes(leg);
  const day = formatShortDay(localDay(leg.departsLocal));
  // A canceled sailing and an open ticket are shown in place of the code.
  const badge = leg.status === 'canceled' || leg.openTicketUntilLocal ? null : findLegBadge(leg);
  return (
    <>
      {ticket && (
        <p className={styles.boardingCode} translate="no">
          {ticket.boardingCode}
        </p>
      )}
      <p className={styles.who} dir="auto">
        {who}
      </p>
      <p className={styles.crossing}>
        {name && `${name}: `}
        {rich('{from} to {to}, {day}, <time></time>', {
          from: leg.origin.name,
          to: leg.destination.name,
          day,
          time: () => <ShownTime {...departs} />,
        })}
      </p>
      <BoatTransfer leg={leg} legs={order.legs} />
      {badge && (
        <p>
          <Badge tone={badge.tone}>{badge.label}</Badge>
        </p>
      )}
      {leg.statusText && <p className={styles.small}>{leg.statusText}</p>}
      <p className={styles.small}>
        <OrderName reference={order.reference} /> ·
        {!ticket?.travelerName && order.contact?.name && ` ${order.contact.name} ·`}{' '}
        <SavedAge asOf={[order.asOf]} isFresh={isFresh} now={serverNow()} kind="checked" />
      </p>
    </>
  );
}

function describeHolder(ticket: Ticket, tickets: readonly Ticket[]): string {
  const [who, detail] = describeTicket(t, ticket, tickets);
  return detail === null ? who : `${who}, ${detail}`;
}
