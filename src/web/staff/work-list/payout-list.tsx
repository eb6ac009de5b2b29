import { Link } from 'react-router';
import { fillPath, staffPages } from '#contract/paths.ts';
import { type Message, message } from '#messages/translate.ts';
import { formatDay } from '#web/features/site/local-time.ts';
import { t } from '#web/language/texts.ts';
import type { PayoutWork } from '#web/platform/api/types.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { type Column, Table } from '#web/ui/data/table.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';

/** `about`: what to do. */
const KINDS: readonly { kind: PayoutWork['kind']; title: Message; about: Message }[] = [
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
      'A charge or refund was made at the card provider, for example. Look each one up there, and book it yourself. Items leave the list after 30 days.',
    ),
  },
];

/** Payouts of the card provider that need a person. */
export function PayoutLists({ payouts }: { payouts: readonly PayoutWork[] }) {
  return KINDS.map(({ kind, title, about }) => {
    const own = payouts.filter((payout) => payout.kind === kind);
    if (own.length === 0) return null;
    return (
      <Card key={kind} title={t(title)}>
        <Stack>
          <p className="muted">{t(about)}</p>
          <Table
            caption={t(title)}
            isCaptionHidden
            columns={listColumns(kind)}
            rows={own}
            getKey={({ payoutId }) => payoutId}
          />
        </Stack>
      </Card>
    );
  });
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
