import { useState } from 'react';
import { Link } from 'react-router';
import { getStaffOrder } from '#contract/desk/orders/endpoints.ts';
import { fillPath, staffPages } from '#contract/paths.ts';
import { describeJourney } from '#web/features/sailing/describe-journey.ts';
import { formatShortDay, localDay } from '#web/features/site/local-time.ts';
import { formatWhen } from '#web/features/site/timestamp.tsx';
import { QrCode } from '#web/features/ticket/qr-code.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { HeldOrder, Leg, Sold } from '#web/platform/api/types.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { PrintTickets } from '#web/staff/print/print-tickets.tsx';
import { RowList } from '#web/ui/data/row-list.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { Modal } from '#web/ui/popup/modal.tsx';

type SoldTicketsProps = {
  sold: Sold;
  title: string;
  /** Absent: the seller lets no one aboard. */
  onBoard: ((tickets: readonly string[]) => void) | undefined;
  onClose: () => void;
};

/** The buyer takes the tickets along by scanning the code; without a phone the reference is enough. */
export function SoldTickets({ sold, title, onBoard, onClose }: SoldTicketsProps) {
  const { reference, link, ticketIds, legs } = sold;
  const [isAboard, setIsAboard] = useState(false);
  return (
    <Modal
      title={t('Sold: {who}', { who: title })}
      onClose={onClose}
      footer={<Button onClick={onClose}>{t('Done')}</Button>}
    >
      <Stack>
        <Crossings legs={legs} />
        <p>{t('Let them scan this code with their phone: it opens their tickets.')}</p>
        <Cluster justify="center">
          <QrCode payload={link} label={t('Code that opens the tickets')} />
        </Cluster>
        <p>
          {t('Without a phone, they say this reference at the gate:')}{' '}
          <strong translate="no">{reference}</strong>
        </p>
        <PrintTickets load={async () => (await request(getStaffOrder, { params: { reference } })).order} />
        {isAboard && <p role="status">{t('They are aboard.')}</p>}
        {onBoard && !isAboard && (
          <Button
            variant="secondary"
            size="large"
            block
            onClick={() => {
              onBoard(ticketIds);
              setIsAboard(true);
            }}
          >
            {t('Let them aboard')}
          </Button>
        )}
      </Stack>
    </Modal>
  );
}

/** An order that its buyer pays later. `email`: empty without one. */
export type HeldSale = HeldOrder & { by: 'link' | 'pier'; email: string };

/** What the seller tells the buyer on the telephone. */
export function HeldPlaces({ held, onClose }: { held: HeldSale; onClose: () => void }) {
  const { reference, payUntil, legs } = held;
  return (
    <Modal title={nameResult(held)} onClose={onClose} footer={<Button onClick={onClose}>{t('Done')}</Button>}>
      <Stack>
        <Crossings legs={legs} />
        <p>
          {t('Reference')}{' '}
          <Link to={fillPath(staffPages.order, { reference })} translate="no">
            {reference}
          </Link>
        </p>
        <p>{describeMail(held)}</p>
        {payUntil !== null && (
          <p>
            {t('The places are held until {time}. If the order is not paid by then, they are free again.', {
              time: formatWhen(payUntil, serverNow()),
            })}
          </p>
        )}
      </Stack>
    </Modal>
  );
}

function nameResult({ by, payUntil, email }: HeldSale): string {
  if (payUntil === null) return email === '' ? t('They have their tickets') : t('The tickets are mailed');
  return by === 'link' ? t('The payment link is mailed') : t('The places are held');
}

function describeMail({ by, payUntil, email }: HeldSale): string {
  if (payUntil === null) {
    return email === ''
      ? t('The tickets cost nothing. The reference is enough at the gate.')
      : t('They cost nothing. The tickets are on their way to {email}.', { email });
  }
  return by === 'link'
    ? t('The link is on its way to {email}.', { email })
    : t('They say this reference and pay at the pier.');
}

/** For which boats tickets are sold or held. */
function Crossings({ legs }: { legs: readonly Leg[] }) {
  const rows = legs.map((leg) => ({
    id: leg.leg,
    title: t('{from} → {to}, {day}', {
      ...{ from: leg.origin.name, to: leg.destination.name },
      day: formatShortDay(localDay(leg.departsLocal)),
    }),
    details: describeJourney([leg]),
  }));
  return <RowList label={t('Crossings')} rows={rows} />;
}
