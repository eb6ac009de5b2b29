import { useState } from 'react';
import { closeFare } from '#contract/desk/endpoints.ts';
import { type Message, message } from '#messages/translate.ts';
import { formatWhenCapitalized } from '#web/features/site/timestamp.tsx';
import { formatOnCard } from '#web/features/trip-card/card-amount.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { FareWork } from '#web/platform/api/types.ts';
import { type Column, Table } from '#web/ui/data/table.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { usePermission } from '../session/staff-session.ts';
import { SettledDialog } from './settled-dialog.tsx';

/** `about`: what to do. */
export const FARE_KINDS: readonly { kind: FareWork['kind']; title: Message; about: Message }[] = [
  {
    kind: 'fare_owed',
    title: message('Fares that trip cards have not paid'),
    about: message(
      'A gate without a connection let them aboard. What is missing on a card is charged when it is topped up. Look into the others, and note what you did.',
    ),
  },
  {
    kind: 'fare_twice',
    title: message('Trip cards that two gates took for one boat'),
    about: message(
      'Both fares count. If they are not for different people, the card’s code may have been copied: call the owner. Settle one of them, and both leave the list.',
    ),
  },
];

const REASONS: Record<NonNullable<FareWork['reason']>, Message> = {
  insufficient_balance: message('Not enough on the card'),
  card_blocked: message('The card was blocked'),
  unknown_card: message('No such card'),
  wrong_unit: message('Money for a pass, or trips for a card with money'),
  not_accepted: message('The code or the price is not right'),
};

/** Fares that gates took without a connection, and that need a person. */
export function FareLists({ fares, now }: { fares: readonly FareWork[]; now: number }) {
  const [closing, setClosing] = useState<FareWork | null>(null);
  const mayClose = usePermission('serve_orders');
  const columns = [...listColumns(now), ...(mayClose ? [describeAction(setClosing)] : [])];
  const lists = FARE_KINDS.map(({ kind, title, about }) => {
    const own = fares.filter((fare) => fare.kind === kind);
    if (own.length === 0) return null;
    return (
      <Card key={kind} title={t(title)}>
        <Stack>
          <p className="muted">{t(about)}</p>
          <Table caption={t(title)} isCaptionHidden columns={columns} rows={own} getKey={({ id }) => id} />
        </Stack>
      </Card>
    );
  });
  return (
    <>
      {lists}
      {closing && <CloseFare fare={closing} onClose={() => setClosing(null)} />}
    </>
  );
}

function CloseFare({ fare, onClose }: { fare: FareWork; onClose: () => void }) {
  const { id, kind, lastFour, amount, unit, currency } = fare;
  return (
    <SettledDialog
      title={t('Is the fare of trip card ··{lastFour} settled?', { lastFour })}
      send={(note) => request(closeFare, { params: { id }, body: { note } })}
      onClose={onClose}
    >
      {kind === 'fare_owed' && (
        <p>
          {t('Nothing is taken: the card still owes {amount}.', {
            amount: formatOnCard(amount, { unit, currency }),
          })}
        </p>
      )}
    </SettledDialog>
  );
}

function describeAction(onOpen: (fare: FareWork) => void): Column<FareWork> {
  return {
    id: 'action',
    header: t('Action'),
    cell: (fare) => (
      <Button
        size="small"
        variant="secondary"
        needsConnection
        aria-label={t('Settled: trip card ··{lastFour}', { lastFour: fare.lastFour })}
        onClick={() => onOpen(fare)}
      >
        {t('Settled')}
      </Button>
    ),
  };
}

function listColumns(now: number): Column<FareWork>[] {
  return [
    { id: 'card', header: t('Trip card'), cell: ({ lastFour }) => `··${lastFour}` },
    { id: 'name', header: t('Name'), cell: ({ contactName }) => contactName || '–' },
    {
      id: 'contact',
      header: t('Contact'),
      cell: ({ phone, contactEmail }) => (phone === '' ? contactEmail : <a href={`tel:${phone}`}>{phone}</a>),
    },
    {
      id: 'when',
      header: t('When'),
      cell: ({ at, device }) => t('{time}, by {device}', { time: formatWhenCapitalized(at, now), device }),
    },
    { id: 'why', header: t('Why'), cell: ({ reason }) => (reason === null ? '–' : t(REASONS[reason])) },
    {
      id: 'amount',
      header: t('Amount'),
      cell: ({ amount, unit, currency }) => formatOnCard(amount, { unit, currency }),
      isFigure: true,
    },
  ];
}
