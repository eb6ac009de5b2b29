import { useState } from 'react';
import { Link } from 'react-router';
import { fillPath, staffPages } from '#contract/paths.ts';
import { settlePayout } from '#contract/reports/endpoints.ts';
import { type Message, message } from '#messages/translate.ts';
import { formatDay } from '#web/features/site/local-time.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { PayoutWork } from '#web/platform/api/types.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { type Column, Table } from '#web/ui/data/table.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { usePermission } from '../session/staff-session.ts';
import { SettledDialog } from './settled-dialog.tsx';

/** `about`: what to do. */
export const PAYOUT_KINDS: readonly { kind: PayoutWork['kind']; title: Message; about: Message }[] = [
  {
    kind: 'payout_failed',
    title: message('Payouts that your bank returned'),
    about: message(
      'Check the bank account at the card provider. Failed payouts leave the list when a payout arrives.',
    ),
  },
  {
    kind: 'payout_unmatched',
    title: message('Payouts with items that are not in the books'),
    about: message(
      'A charge or refund was made at the card provider, for example. Look each one up there, book it yourself, and note what you did. Payouts leave the list when they are settled, or after 30 days.',
    ),
  },
];

/** Payouts of the card provider that need a person. */
export function PayoutLists({ payouts }: { payouts: readonly PayoutWork[] }) {
  const [settling, setSettling] = useState<PayoutWork | null>(null);
  const maySettle = usePermission('settle_payouts');
  const lists = PAYOUT_KINDS.map(({ kind, title, about }) => {
    const own = payouts.filter((payout) => payout.kind === kind);
    if (own.length === 0) return null;
    return (
      <Card key={kind} title={t(title)}>
        <Stack>
          <p className="muted">{t(about)}</p>
          <Table
            caption={t(title)}
            isCaptionHidden
            columns={[
              ...listColumns(kind),
              ...(kind === 'payout_unmatched' && maySettle ? [describeAction(setSettling)] : []),
            ]}
            rows={own}
            getKey={({ payoutId }) => payoutId}
          />
        </Stack>
      </Card>
    );
  });
  return (
    <>
      {lists}
      {settling && <SettlePayout payout={settling} onClose={() => setSettling(null)} />}
    </>
  );
}

function SettlePayout({ payout, onClose }: { payout: PayoutWork; onClose: () => void }) {
  const { payoutId, arrivesOn } = payout;
  return (
    <SettledDialog
      title={t('Are the items of the payout of {day} settled?', { day: formatDay(arrivesOn) })}
      send={(note) => request(settlePayout, { params: { payout: payoutId }, body: { note } })}
      onClose={onClose}
    >
      <p>{t('Reports still list them under “Items not in the books”.')}</p>
    </SettledDialog>
  );
}

function describeAction(onOpen: (payout: PayoutWork) => void): Column<PayoutWork> {
  return {
    id: 'action',
    header: t('Action'),
    cell: (payout) => (
      <Button
        size="small"
        variant="secondary"
        needsConnection
        aria-label={t('Settled: payout of {day}', { day: formatDay(payout.arrivesOn) })}
        onClick={() => onOpen(payout)}
      >
        {t('Settled')}
      </Button>
    ),
  };
}

function listColumns(kind: PayoutWork['kind']): Column<PayoutWork>[] {
  return [
    {
      id: 'payout',
      header: t('Payout'),
      cell: ({ payoutId: id, arrivesOn }) => (
        <Link to={fillPath(staffPages.payout, { id })}>{formatDay(arrivesOn)}</Link>
      ),
    },
    {
      id: 'amount',
      header: t('Amount'),
      cell: ({ amount, currency }) => formatMoney(amount, currency),
      isFigure: true,
    },
    ...(kind === 'payout_unmatched'
      ? [
          {
            id: 'unmatched',
            header: t('Items not in the books'),
            cell: ({ unmatched }: PayoutWork) => unmatched,
            isFigure: true,
          },
        ]
      : []),
  ];
}
