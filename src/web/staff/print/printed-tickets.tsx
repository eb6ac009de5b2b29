import { type CSSProperties, useEffectEvent, useLayoutEffect, useRef } from 'react';
import { createPortal } from 'react-dom';
import { isVoid } from '#domain/orders/ticket-status.ts';
import { formatDay, formatTime, localDay } from '#web/features/site/local-time.ts';
import { drawQrCode, QrCode } from '#web/features/ticket/qr-code.tsx';
import { listTicketsOfLeg } from '#web/features/ticket/tickets-of-order.ts';
import { t } from '#web/language/texts.ts';
import type { Leg, Order, Ticket } from '#web/platform/api/types.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { describePage, type Paper, ROLLS } from './papers.ts';
import styles from './printed-tickets.module.css';

type PrintedTicketsProps = { order: Order; paper: Paper; onPrinted: () => void };

/** The tickets as they are printed, which opens the system's dialog. On the screen they are invisible. */
export function PrintedTickets({ order, paper, onPrinted }: PrintedTicketsProps) {
  const sheet = useRef<HTMLDivElement>(null);
  const end = useEffectEvent(() => onPrinted());
  useLayoutEffect(() => {
    const page = new CSSStyleSheet();
    page.replaceSync(describePage(paper, sheet.current?.offsetHeight ?? 0));
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, page];
    const finish = () => end();
    window.addEventListener('afterprint', finish);
    window.print();
    return () => {
      window.removeEventListener('afterprint', finish);
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== page);
    };
  }, [paper]);
  const width = paper === 'a4' ? undefined : `${ROLLS[paper].printed}mm`;
  return createPortal(
    <div ref={sheet} className={styles.sheet} style={{ width }} data-paper={paper}>
      {order.legs.flatMap((leg) =>
        listTicketsOfLeg(order, leg)
          .filter((ticket) => !isVoid(ticket))
          .map((ticket) => <PrintedTicket key={ticket.id} {...{ order, leg, ticket }} />),
      )}
    </div>,
    document.body,
  );
}

/** A millimeter is eight dots of most receipt printers, so the modules of a code stay sharp. */
const MODULE = '1mm';

function PrintedTicket({ order, leg, ticket }: { order: Order; leg: Leg; ticket: Ticket }) {
  const { brand } = useSettings();
  const { payload } = ticket.barcode;
  const size = `min(100%, ${drawQrCode(payload).size} * ${MODULE})`;
  return (
    <section className={styles.ticket}>
      <p>{brand.name}</p>
      <h2>{ticket.title}</h2>
      {ticket.travelerName && <p dir="auto">{ticket.travelerName}</p>}
      <p className={styles.journey}>
        {t('{from} → {to}', { from: leg.origin.name, to: leg.destination.name })}
      </p>
      <p>
        {formatDay(localDay(leg.departsLocal))}, {formatTime(leg.departsLocal, leg.departsZoneLabel)}
      </p>
      <div style={{ '--code-size': size } as CSSProperties}>
        <QrCode payload={payload} label={t('Code of this ticket')} />
      </div>
      <p className={styles.code}>
        <bdi dir="ltr">{ticket.boardingCode}</bdi>
      </p>
      <p>{t('Reference {reference}', { reference: order.reference })}</p>
    </section>
  );
}
