import type { ReactNode } from 'react';
import { nameAuditAction } from '#sentences/audit.ts';
import { describeCard } from '#sentences/payment-cards.ts';
import { describeChannel } from '#web/features/order/messages/message-list.tsx';
import { formatWhenCapitalized } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import type { StaffOrder } from '#web/platform/api/types.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { RowList } from '#web/ui/data/row-list.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { describeActor, describeChange } from '../audit/audit-texts.ts';
import { CHANGE_TITLES, CHANGED_BY, namePayment, nameRefund, SCAN_TITLES } from './history-texts.ts';

type Entry = { id: string; at: string; title: string; details: ReactNode };
type HistoryProps = { staffOrder: StaffOrder; now: number };

/** Everything that happened to an order, the latest first. `now` in milliseconds. */
export function OrderHistory({ staffOrder, now }: HistoryProps) {
  const entries = [
    ...listPurchase(staffOrder),
    ...listMoney(staffOrder),
    ...listChanges(staffOrder),
    ...listMessages(staffOrder),
    ...listScans(staffOrder),
    ...listAudit(staffOrder, now),
  ].toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
  return (
    <Card title={t('History')}>
      <RowList
        label={t('History')}
        rows={entries.map(({ id, at, title, details }) => ({
          id,
          title,
          details: (
            <>
              {formatWhenCapitalized(at, now)}
              {details && (
                <>
                  <br />
                  {details}
                </>
              )}
            </>
          ),
        }))}
      />
    </Card>
  );
}

function listPurchase({ order }: StaffOrder): Entry[] {
  return [
    { id: 'ordered', at: order.insertedAt, title: t('Ordered'), details: null },
    ...(order.confirmedAt === null
      ? []
      : [{ id: 'confirmed', at: order.confirmedAt, title: t('Confirmed, with its tickets'), details: null }]),
  ];
}

function listMoney({ order: { currency, payments, refunds } }: StaffOrder): Entry[] {
  const money = (amount: number) => formatMoney(amount, currency);
  return [
    ...payments.map((payment) => ({
      id: payment.id,
      at: payment.insertedAt,
      title:
        payment.method === 'invoice'
          ? t('{amount} on an invoice', { amount: money(payment.amount) })
          : namePayment(payment.status, money(payment.amount)),
      details: [payment.method === 'invoice' ? '' : describeCard(t, payment), payment.failure?.message]
        .filter(Boolean)
        .join('. '),
    })),
    ...refunds.map(({ id, amount, status, destination, insertedAt, ...card }) => ({
      id,
      at: insertedAt,
      title: nameRefund(status, money(amount)),
      details: describeCard(t, { method: destination, ...card }),
    })),
  ];
}

function listChanges({ order: { currency }, cancellations, changes }: StaffOrder): Entry[] {
  return [
    ...cancellations.map(({ id, at, actor, fee, refund }) => ({
      ...{ id, at },
      title: t('Tickets canceled'),
      details: [
        t(CHANGED_BY[actor]),
        t('Refund {refund}, fee {fee}', {
          refund: formatMoney(refund, currency),
          fee: formatMoney(fee, currency),
        }),
      ].join('. '),
    })),
    ...changes.map(({ id, at, actor, status, difference }) => ({
      ...{ id, at },
      title: t(CHANGE_TITLES[status]),
      details: [
        t(CHANGED_BY[actor]),
        ...(difference === 0
          ? []
          : [t('Difference {amount}', { amount: formatMoney(difference, currency) })]),
      ].join('. '),
    })),
  ];
}

function listMessages({ messages }: StaffOrder): Entry[] {
  return messages.map((message, index) => ({
    id: `message ${index}`,
    at: message.at,
    title: t('Message “{title}”', { title: message.title }),
    details: (
      <>
        {describeChannel(message)}
        {message.status === 'waiting' && ` · ${t('Not sent yet')}`}
        {message.status === 'failed' && ` · ${t('Could not be sent')}`}
      </>
    ),
  }));
}

function listScans({ scans }: StaffOrder): Entry[] {
  return scans.map(({ at, type, device, staffName, tickets, override }, index) => ({
    id: `scan ${index}`,
    at,
    title: t(SCAN_TITLES[type]),
    details: [
      tickets.join(', '),
      [staffName, device].filter(Boolean).join(', '),
      override === null ? '' : t('Reason: {reason}', { reason: override }),
    ]
      .filter(Boolean)
      .join('. '),
  }));
}

function listAudit({ order: { currency }, audit }: StaffOrder, now: number): Entry[] {
  // Notes have a card of their own.
  const entries = audit.filter(({ action }) => action !== 'order_noted');
  return entries.map(({ seq, at, action, actor, changes, reason }) => ({
    id: `audit ${seq}`,
    at,
    title: nameAuditAction(t, action),
    details: [
      describeActor(actor),
      ...changes.map((change) => describeChange(change, { currency, now })),
      ...(reason === null ? [] : [t('Reason: {reason}', { reason })]),
    ].join('. '),
  }));
}
