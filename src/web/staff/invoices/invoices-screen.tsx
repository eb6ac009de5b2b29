import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router';
import { listInvoices, mailInvoice, takeBackTransfer } from '#contract/invoices/endpoints.ts';
import { INVOICE_STATES, type InvoiceState } from '#contract/invoices/states.ts';
import { fillPath, staffPages } from '#contract/paths.ts';
import { getReceiptPdf } from '#contract/receipts/endpoints.ts';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { Problem } from '#web/features/site/problem.tsx';
import { formatWhen } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { Invoice } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { useRequestOnce } from '#web/platform/idempotency/use-request-once.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { formatDay } from '#web/ui/calendar/calendar.ts';
import { DefinitionList } from '#web/ui/data/definition-list.tsx';
import { formatMoney } from '#web/ui/data/money.tsx';
import { RowList } from '#web/ui/data/row-list.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button, ButtonLink } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { Tabs } from '#web/ui/layout/tabs.tsx';
import { SearchForm } from '../search-form.tsx';
import { Permitted } from '../session/permitted.tsx';
import { getInvoicesPath } from './invoice-link.tsx';
import { TransferDialog } from './transfer-dialog.tsx';

function invoicesQuery(state: InvoiceState, q: string) {
  return queryOptions({
    queryKey: ['staff-invoices', state, q] as const,
    queryFn: ({ signal }) => request(listInvoices, { query: { state, ...(q === '' ? {} : { q }) }, signal }),
  });
}

/** Invoices that are paid later: what is owed, and what was transferred. */
export function InvoicesScreen() {
  return (
    <Permitted permission="manage_invoices">
      <PageHeader
        title={t('Invoices')}
        intro={t('Sold to companies, schools and agencies that pay later.')}
      />
      <Invoices />
    </Permitted>
  );
}

function Invoices() {
  const [params] = useSearchParams();
  const navigate = useNavigate();
  const state = INVOICE_STATES.find((each) => each === params.get('state')) ?? 'open';
  const search = params.get('q') ?? '';
  const show = (filter: { state: InvoiceState; q: string }) => void navigate(getInvoicesPath(filter));
  const query = useQuery(invoicesQuery(state, search));
  const counts = query.data?.counts;
  const label = (name: string, count: number | undefined) =>
    count === undefined ? name : t('{name} ({count})', { name, count });
  return (
    <Stack>
      <SearchForm
        key={search}
        search={search}
        label={t('Find an invoice')}
        hint={t('By its number, name or order, or by what the bank statement says.')}
        onSearch={(q) => show({ state, q })}
      />
      <Tabs
        label={t('Invoices')}
        current={state}
        onChange={(chosen) => show({ state: chosen, q: search })}
        tabs={[
          { id: 'open', label: label(t('Open|invoices'), counts?.open) },
          { id: 'overdue', label: label(t('Overdue|invoices'), counts?.overdue) },
          { id: 'paid', label: label(t('Paid|invoices'), counts?.paid) },
        ]}
      >
        {query.data === undefined ? (
          <QueryFallback query={query} problem={t('We could not load the invoices')} loading={t('Loading…')}>
            <Skeleton height="16rem" />
          </QueryFallback>
        ) : query.data.invoices.length === 0 ? (
          <EmptyState icon="check" title={t('No invoices here')} />
        ) : (
          <Stack>
            {query.data.invoices.map((invoice) => (
              <InvoiceCard
                key={invoice.id}
                invoice={invoice}
                today={query.data.today}
                now={query.dataUpdatedAt}
              />
            ))}
            {query.data.hasMore && <p>{t('There are more. Search for the one you need.')}</p>}
          </Stack>
        )}
      </Tabs>
    </Stack>
  );
}

type InvoiceCardProps = { invoice: Invoice; today: string; now: number };

function InvoiceCard({ invoice, today, now }: InvoiceCardProps) {
  const [isNoting, setIsNoting] = useState(false);
  const { number, recipient, state, currency, credited, paid, remindedAt, orderReference, cardSaleId } =
    invoice;
  const money = (amount: number) => formatMoney(amount, currency);
  return (
    <Card title={t('{number}, {recipient}', { number, recipient })}>
      <Stack>
        <DefinitionList
          items={[
            { term: t('Owed|on an invoice'), details: money(invoice.owed) },
            { term: t('Amount'), details: money(invoice.amount) },
            ...(credited > 0 ? [{ term: t('Credited'), details: money(credited) }] : []),
            ...(paid > 0 ? [{ term: t('Received|by bank transfer'), details: money(paid) }] : []),
            { term: t('Due|an invoice'), details: formatDay(invoice.dueOn, 'date') },
            ...(remindedAt ? [{ term: t('Reminded'), details: formatWhen(remindedAt, now) }] : []),
          ]}
        />
        {invoice.transfers.length > 0 && <Transfers invoice={invoice} />}
        <Cluster gap="sm">
          {state !== 'paid' && (
            <Button needsConnection onClick={() => setIsNoting(true)}>
              {t('Note a transfer')}
            </Button>
          )}
          <ButtonLink
            variant="secondary"
            icon="download"
            needsConnection
            download
            to={fillPath(getReceiptPdf.path, { id: invoice.receiptId })}
          >
            {t('PDF')}
          </ButtonLink>
          {orderReference !== null && (
            <ButtonLink variant="secondary" to={fillPath(staffPages.order, { reference: orderReference })}>
              {t('Order {reference}', { reference: orderReference })}
            </ButtonLink>
          )}
          {cardSaleId !== null && (
            <ButtonLink variant="secondary" to={fillPath(staffPages.cardSale, { id: cardSaleId })}>
              {t('Trip cards')}
            </ButtonLink>
          )}
          {invoice.email !== '' && <MailButtons invoice={invoice} />}
        </Cluster>
      </Stack>
      {isNoting && <TransferDialog invoice={invoice} today={today} onClose={() => setIsNoting(false)} />}
    </Card>
  );
}

function MailButtons({ invoice: { id, state, email } }: { invoice: Invoice }) {
  const requestOnce = useRequestOnce();
  const client = useQueryClient();
  const mail = useAction(
    (kind: 'invoice' | 'reminder') => requestOnce(mailInvoice, { params: { id }, body: { kind } }),
    {
      onDone: async () => {
        notify(t('Mailed to {email}.', { email }), { type: 'success' });
        await client.invalidateQueries({ queryKey: ['staff-invoices'] });
      },
    },
  );
  const button = (kind: 'invoice' | 'reminder', label: string) => (
    <Button
      variant="secondary"
      needsConnection
      isPending={mail.input === kind}
      onClick={() => mail.run(kind)}
    >
      {label}
    </Button>
  );
  return (
    <>
      {button('invoice', t('Mail again'))}
      {state === 'overdue' && button('reminder', t('Mail a reminder'))}
      <Problem text={mail.problem} />
    </>
  );
}

function Transfers({ invoice: { id, transfers, currency } }: { invoice: Invoice }) {
  const client = useQueryClient();
  const takeBack = useAction(
    (seq: number) => request(takeBackTransfer, { params: { id, seq: String(seq) } }),
    { onDone: () => client.invalidateQueries({ queryKey: ['staff-invoices'] }) },
  );
  return (
    <>
      <Problem text={takeBack.problem} />
      <RowList
        label={t('Transfers|for an invoice')}
        rows={transfers.map(({ seq, day, amount, reference, isTakenBack }) => ({
          id: String(seq),
          title: formatMoney(amount, currency),
          details: [formatDay(day, 'date'), reference, isTakenBack ? t('Taken back|a transfer') : '']
            .filter(Boolean)
            .join(', '),
          action: !isTakenBack && (
            <Button
              variant="secondary"
              size="small"
              needsConnection
              isPending={takeBack.input === seq}
              onClick={() => takeBack.run(seq)}
            >
              {t('Take back')}
            </Button>
          ),
        }))}
      />
    </>
  );
}
