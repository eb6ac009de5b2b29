import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useParams } from 'react-router';
import { replaceSoldCard, takeBackCardSale } from '#contract/desk/card-sales/endpoints.ts';
import { fillPath, staffPages } from '#contract/paths.ts';
import { getReceiptPdf } from '#contract/receipts/endpoints.ts';
import { formatTripCardNumber } from '#domain/trip-cards/trip-card-number.ts';
import { type Message, message } from '#messages/translate.ts';
import { ConfirmDialog } from '#web/features/site/dialogs.tsx';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { formatWhenCapitalized } from '#web/features/site/timestamp.tsx';
import { formatOnCard } from '#web/features/trip-card/card-amount.ts';
import { t } from '#web/language/texts.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import type { CardSale } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { useRequestOnce } from '#web/platform/idempotency/use-request-once.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { saveFile } from '#web/platform/save-file.ts';
import { DefinitionList } from '#web/ui/data/definition-list.tsx';
import { formatMoney } from '#web/ui/data/money.tsx';
import { type Column, Table } from '#web/ui/data/table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button, ButtonLink } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { InvoiceLink } from '../invoices/invoice-link.tsx';
import { Permitted } from '../session/permitted.tsx';
import { usePermission } from '../session/staff-session.ts';
import { CARD_SALES_KEY, cardSaleQuery, nameSale } from './card-sale-query.ts';
import { describePayment } from './card-sale-texts.ts';

/** A sale on several trip cards, with their numbers and what is left on them. */
export function CardSaleScreen() {
  const { id = '' } = useParams();
  return (
    <Permitted permission="see_orders">
      <LoadedSale id={id} />
    </Permitted>
  );
}

function LoadedSale({ id }: { id: string }) {
  const query = useQuery(cardSaleQuery(id));
  if (query.data !== undefined) return <ShownSale sale={query.data} now={query.dataUpdatedAt} />;
  if (hasErrorCode(query.error, 'not_found')) {
    return <EmptyState icon="trip-card" titleAs="h1" title={t('There is no such sale')} />;
  }
  return (
    <QueryFallback query={query} problem={t('We could not load the sale')} loading={t('Loading…')}>
      <Skeleton height="24rem" />
    </QueryFallback>
  );
}

function ShownSale({ sale, now }: { sale: CardSale; now: number }) {
  const [isTakingBack, setIsTakingBack] = useState(false);
  const [lost, setLost] = useState<SoldCard | null>(null);
  const mayServe = usePermission('serve_orders');
  const mayTakeBack = usePermission('refund_orders');
  const maySeeInvoices = usePermission('manage_invoices');
  const { items, amount, total, currency, recipient, invoice, receiptId, soldAt, staffName } = sale;
  const money = (price: number) => formatMoney(price, currency);
  return (
    <>
      <PageHeader back={{ to: staffPages.cardSales, label: t('Trip cards') }} title={nameSale(sale)} />
      <Stack>
        <Card>
          <DefinitionList
            items={[
              { term: t('Each|a price'), details: money(amount) },
              { term: t('Total'), details: money(total) },
              { term: t('Payment'), details: describePayment(sale) },
              ...(invoice && maySeeInvoices
                ? [
                    {
                      term: t('Invoice'),
                      details: <InvoiceLink number={invoice.number} state={invoice.state} />,
                    },
                  ]
                : []),
              ...(recipient === null ? [] : [{ term: t('For|whom'), details: recipient }]),
              {
                term: t('Sold'),
                details: [formatWhenCapitalized(soldAt, now), staffName].filter(Boolean).join(', '),
              },
            ]}
          />
        </Card>
        <Cluster gap="sm">
          <Button
            variant="secondary"
            icon="download"
            onClick={() =>
              saveFile('trip-cards.txt', 'text/plain', `${items.map(({ number }) => number).join('\n')}\n`)
            }
          >
            {t('Save the numbers')}
          </Button>
          {receiptId !== null && (
            <ButtonLink
              variant="secondary"
              icon="download"
              needsConnection
              download
              to={fillPath(getReceiptPdf.path, { id: receiptId })}
            >
              {invoice ? t('Invoice as PDF') : t('Receipt as PDF')}
            </ButtonLink>
          )}
          {mayTakeBack && sale.canBeTakenBack && (
            <Button variant="secondary" needsConnection onClick={() => setIsTakingBack(true)}>
              {t('Take the sale back')}
            </Button>
          )}
        </Cluster>
        <Table
          caption={t('Trip cards')}
          rows={items}
          getKey={({ number }) => number}
          columns={[
            {
              id: 'number',
              header: t('Number|of a trip card'),
              cell: ({ number }) => <span translate="no">{formatTripCardNumber(number)}</span>,
            },
            {
              id: 'balance',
              header: t('On the card now'),
              isFigure: true,
              cell: ({ unit, balance }) => formatOnCard(balance, { unit, currency }),
            },
            { id: 'status', header: t('Status'), cell: ({ status }) => t(STATUSES[status]) },
            ...(mayServe ? [describeLost(setLost)] : []),
          ]}
        />
      </Stack>
      {lost && <LostDialog sale={sale} card={lost} onClose={() => setLost(null)} />}
      {isTakingBack && <TakeBackDialog sale={sale} onClose={() => setIsTakingBack(false)} />}
    </>
  );
}

type SoldCard = CardSale['items'][number];

const STATUSES: Readonly<Record<SoldCard['status'], Message>> = {
  active: message('Active|a trip card'),
  frozen: message('Frozen by the customer'),
  lost: message('Lost|a trip card'),
};

function describeLost(onOpen: (card: SoldCard) => void): Column<SoldCard> {
  return {
    id: 'action',
    header: t('Action'),
    cell: (card) =>
      card.status !== 'lost' && (
        <Button
          size="small"
          variant="secondary"
          needsConnection
          aria-label={t('Lost: {card}', { card: formatTripCardNumber(card.number) })}
          onClick={() => onOpen(card)}
        >
          {t('Lost|a trip card')}
        </Button>
      ),
  };
}

function LostDialog({ sale, card, onClose }: { sale: CardSale; card: SoldCard; onClose: () => void }) {
  const client = useQueryClient();
  const requestOnce = useRequestOnce();
  const replace = useAction(
    () => requestOnce(replaceSoldCard, { params: { id: sale.id, card_id: card.id } }),
    {
      onDone: (changed) => {
        client.setQueryData(cardSaleQuery(sale.id).queryKey, changed);
        notify(t('The card is blocked, and its value is on a new number.'), { type: 'success' });
        onClose();
      },
    },
  );
  return (
    <ConfirmDialog
      action={replace}
      title={t('Lost: {card}', { card: formatTripCardNumber(card.number) })}
      confirm={t('Block and replace it')}
      onClose={onClose}
    >
      <p>
        {t('The card is blocked for good. What is on it, {balance}, moves to a new number in the list.', {
          balance: formatOnCard(card.balance, { unit: card.unit, currency: sale.currency }),
        })}
      </p>
    </ConfirmDialog>
  );
}

function TakeBackDialog({ sale, onClose }: { sale: CardSale; onClose: () => void }) {
  const client = useQueryClient();
  const takeBack = useAction(() => request(takeBackCardSale, { params: { id: sale.id } }), {
    onDone: async (changed) => {
      client.setQueryData(cardSaleQuery(sale.id).queryKey, changed);
      await client.invalidateQueries({ queryKey: CARD_SALES_KEY });
      notify(t('The sale is taken back, and the credit note is mailed.'), { type: 'success' });
      onClose();
    },
  });
  return (
    <ConfirmDialog
      action={takeBack}
      title={t('Take the sale back')}
      confirm={t('Take the sale back')}
      onClose={onClose}
    >
      <p>
        {t(
          'All cards lose what was sold on them, nothing is owed any more, and the recipient gets a credit note.',
        )}
      </p>
    </ConfirmDialog>
  );
}
