import { type Message, message } from '#messages/translate.ts';
import { formatClock, formatShortDay, localDay } from '#web/features/site/local-time.ts';
import { formatWhenCapitalized } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import type { BoatOrder, UnpaidOrder } from '#web/platform/api/types.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { type Column, Table } from '#web/ui/data/table.tsx';
import { Badge, type BadgeTone } from '#web/ui/feedback/badge.tsx';
import { Cluster } from '#web/ui/layout/stack.tsx';
import { OrderLink } from '../orders/order-link.tsx';

type OrderTableProps = {
  orders: readonly BoatOrder[];
  currency: string;
  /** As they would be: no mail is on its way yet. */
  isPreview?: boolean;
};

/** The orders on a boat, with whom to call. */
export function OrderTable({ orders, currency, isPreview = false }: OrderTableProps) {
  return (
    <Table
      caption={t('Orders on this boat')}
      isCaptionHidden
      columns={listColumns(currency, isPreview)}
      rows={orders}
      getKey={({ reference }) => reference}
    />
  );
}

type UnpaidTableProps = { orders: readonly UnpaidOrder[]; currency: string; now: number };

/** The orders on a boat that are held for buyers who have not paid yet. `now` in milliseconds. */
export function UnpaidTable({ orders, currency, now }: UnpaidTableProps) {
  return (
    <Table
      caption={t('Orders that wait for payment')}
      isCaptionHidden
      columns={[
        { id: 'reference', header: t('Order'), cell: ({ reference }) => <OrderLink reference={reference} /> },
        { id: 'name', header: t('Name'), cell: ({ contactName }) => contactName },
        { id: 'phone', header: t('Phone'), cell: PhoneLink },
        { id: 'party', header: t('Party|who travels together'), cell: describeParty },
        {
          id: 'until',
          header: t('Held until'),
          cell: ({ payUntil }) =>
            payUntil === null ? t('Boat canceled. Call them.') : formatWhenCapitalized(payUntil, now),
        },
        {
          id: 'total',
          header: t('To pay'),
          cell: ({ total }) => formatMoney(total, currency),
          isFigure: true,
        },
      ]}
      rows={orders}
      getKey={({ reference }) => reference}
    />
  );
}

const OUTCOMES: Readonly<Record<BoatOrder['outcome'], { name: Message; tone: BadgeTone } | null>> = {
  unaffected: null,
  waiting: { name: message('Waits for an answer'), tone: 'warning' },
  moved: { name: message('Moved to another boat'), tone: 'success' },
  refunded: { name: message('Refunded|an order'), tone: 'neutral' },
  kept: { name: message('Kept the tickets'), tone: 'neutral' },
};

function listColumns(currency: string, isPreview: boolean): Column<BoatOrder>[] {
  return [
    { id: 'reference', header: t('Order'), cell: ({ reference }) => <OrderLink reference={reference} /> },
    { id: 'name', header: t('Name'), cell: ({ contactName }) => contactName },
    {
      id: 'phone',
      header: t('Phone'),
      cell: PhoneLink,
    },
    {
      id: 'party',
      header: t('Party|who travels together'),
      cell: describeParty,
    },
    {
      id: 'outcome',
      header: t('Status'),
      cell: (order) => <Outcome order={order} isPreview={isPreview} />,
    },
    {
      id: 'offered',
      header: t('Offered instead'),
      cell: ({ outcome, offered }) => {
        if (outcome !== 'waiting') return '–';
        if (offered === null) return t('No other boat has room');
        const { departsLocal, vessel } = offered;
        const day = formatShortDay(localDay(departsLocal));
        return t('{day}, {time}, {vessel}', { day, time: formatClock(departsLocal), vessel });
      },
    },
    {
      id: 'paid',
      header: t('Paid'),
      cell: ({ paid }) => formatMoney(paid, currency),
      isFigure: true,
    },
  ];
}

export function PhoneLink({ phone }: Pick<BoatOrder, 'phone'>) {
  return phone === '' ? '–' : <a href={`tel:${phone}`}>{phone}</a>;
}

function describeParty({ people, vehicles }: Pick<BoatOrder, 'people' | 'vehicles'>): string {
  if (vehicles === 0) return t('{people, plural, one {# person} other {# people}}', { people });
  return t(
    '{people, plural, one {# person} other {# people}}, {vehicles, plural, one {# vehicle} other {# vehicles}}',
    { people, vehicles },
  );
}

type OutcomeProps = Required<Pick<OrderTableProps, 'isPreview'>> & { order: BoatOrder };

function Outcome({ order: { outcome, mail, isReachable }, isPreview }: OutcomeProps) {
  const shown = OUTCOMES[outcome];
  return (
    <Cluster gap="sm">
      {shown === null ? t('Travels as bought') : <Badge tone={shown.tone}>{t(shown.name)}</Badge>}
      {!isReachable && (
        <Badge tone={outcome === 'waiting' ? 'danger' : 'neutral'}>{t('Gets no messages|an order')}</Badge>
      )}
      {mail === 'failed' && <Badge tone="danger">{t('Mail not delivered')}</Badge>}
      {mail === 'queued' && !isPreview && <Badge>{t('Mail on its way')}</Badge>}
    </Cluster>
  );
}
