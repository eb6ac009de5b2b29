import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useParams } from 'react-router';
import { unblockCustomer } from '#contract/desk/customers/endpoints.ts';
import { fillPath, staffPages } from '#contract/paths.ts';
import { nameAuditAction } from '#sentences/audit.ts';
import { OrderTitle } from '#web/features/order/order-title.tsx';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { formatPhone } from '#web/features/site/phone.ts';
import { ActionButton } from '#web/features/site/problem.tsx';
import { formatWhen, formatWhenCapitalized } from '#web/features/site/timestamp.tsx';
import { t } from '#web/language/texts.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import { request } from '#web/platform/api/request.ts';
import type { StaffCustomer } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { notify } from '#web/platform/notifications/notifications.ts';
import { DefinitionList } from '#web/ui/data/definition-list.tsx';
import { Money } from '#web/ui/data/money.tsx';
import { RowList } from '#web/ui/data/row-list.tsx';
import { Table } from '#web/ui/data/table.tsx';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { ButtonLink } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { describeActor } from '../audit/audit-texts.ts';
import { StaffOrderBadge } from '../orders/staff-order-badge.tsx';
import { Permitted } from '../session/permitted.tsx';
import { usePermission } from '../session/staff-session.ts';
import { CustomerCards } from './customer-cards.tsx';
import { customerQuery } from './customer-query.ts';
import { CustomerPrivacy } from './customer-views.tsx';

/** One customer: orders, trip cards and last mails, to be read, and what may be done with the cards. */
export function CustomerScreen() {
  return (
    <Permitted permission="see_orders">
      <Customer />
    </Permitted>
  );
}

function Customer() {
  const { id = '' } = useParams();
  const query = useQuery(customerQuery(id));
  if (query.data !== undefined) return <ShownCustomer customer={query.data} now={query.dataUpdatedAt} />;
  if (hasErrorCode(query.error, 'not_found')) {
    return <EmptyState icon="person" titleAs="h1" title={t('There is no such customer any more')} />;
  }
  return (
    <QueryFallback query={query} problem={t('We could not load the customer')} loading={t('Loading…')}>
      <Skeleton height="24rem" />
    </QueryFallback>
  );
}

type FoundProps = { customer: StaffCustomer; now: number };

function ShownCustomer({ customer, now }: FoundProps) {
  const { name, email, phone, insertedAt, sessions } = customer;
  return (
    <>
      <PageHeader
        back={{ to: staffPages.orders, label: t('Orders') }}
        title={name === '' ? email : name}
        intro={t('The log records that you looked at this account.')}
        action={
          <ButtonLink
            variant="secondary"
            size="small"
            icon="eye"
            to={fillPath(staffPages.customerAsCustomer, { id: customer.id })}
          >
            {t('View as the customer')}
          </ButtonLink>
        }
      />
      <Stack>
        <Blocked customer={customer} now={now} />
        <Card title={t('Account')}>
          <DefinitionList
            items={[
              { term: t('Email'), details: email },
              ...(phone === '' ? [] : [{ term: t('Phone'), details: formatPhone(phone) }]),
              { term: t('Customer since'), details: formatWhenCapitalized(insertedAt, now) },
              {
                term: t('Signed in'),
                details: t('{count, plural, =0 {nowhere} one {on # device} other {on # devices}}', {
                  count: sessions,
                }),
              },
            ]}
          />
        </Card>
        <Orders customer={customer} now={now} />
        <CustomerCards customer={customer} />
        <Mails customer={customer} now={now} />
        <Log customer={customer} now={now} />
        <CustomerPrivacy customer={customer} />
      </Stack>
    </>
  );
}

/** That the sign-in is blocked after too many wrong tries, and the button that lifts it. */
function Blocked({ customer: { id, blocked }, now }: FoundProps) {
  const client = useQueryClient();
  const mayServe = usePermission('serve_orders');
  const unblock = useAction(() => request(unblockCustomer, { params: { id } }), {
    onDone: (customer) => {
      client.setQueryData(customerQuery(id).queryKey, customer);
      notify(t('The customer can try again to sign in.'), { type: 'success' });
    },
  });
  if (blocked === null) return null;
  return (
    <Notice
      type="warning"
      title={t('Sign-in is blocked after too many wrong tries')}
      action={
        mayServe && (
          <ActionButton action={unblock} needsConnection>
            {t('Let them try again')}
          </ActionButton>
        )
      }
    >
      {blocked.password && <p>{t('The password is refused until the customer resets it.')}</p>}
      {blocked.codesUntil !== null && (
        <p>
          {t('Codes of the second step are refused until {time}.', {
            time: formatWhen(blocked.codesUntil, now),
          })}
        </p>
      )}
    </Notice>
  );
}

function Orders({ customer: { orders, hasMoreOrders }, now }: FoundProps) {
  return (
    <Card title={t('Orders')}>
      {orders.length === 0 ? (
        <p>{t('No orders yet.')}</p>
      ) : (
        <Table
          caption={t('Orders')}
          isCaptionHidden
          columns={[
            {
              id: 'order',
              header: t('Order'),
              cell: (order) => (
                <Link to={fillPath(staffPages.order, { reference: order.reference })}>
                  <OrderTitle order={order} />
                </Link>
              ),
            },
            { id: 'status', header: t('State'), cell: (order) => <StaffOrderBadge order={order} /> },
            {
              id: 'at',
              header: t('Bought'),
              cell: ({ insertedAt }) => formatWhenCapitalized(insertedAt, now),
            },
            {
              id: 'total',
              header: t('Total'),
              isFigure: true,
              cell: ({ total, currency }) => <Money amount={total} currency={currency} />,
            },
          ]}
          rows={orders}
          getKey={({ id }) => id}
        />
      )}
      {hasMoreOrders && <p>{t('Older orders are found by their reference or the email address.')}</p>}
    </Card>
  );
}

function Mails({ customer: { mails }, now }: FoundProps) {
  if (mails.length === 0) return null;
  return (
    <Card title={t('Last mails')}>
      <RowList
        label={t('Last mails')}
        rows={mails.map(({ id, subject, status, at }) => ({
          id,
          title: subject,
          details: [
            formatWhenCapitalized(at, now),
            ...(status === 'queued' ? [t('Not sent yet')] : []),
            ...(status === 'failed' ? [t('Could not be sent')] : []),
          ].join(' · '),
        }))}
      />
    </Card>
  );
}

function Log({ customer: { audit }, now }: FoundProps) {
  if (audit.length === 0) return null;
  return (
    <Card title={t('History')}>
      <RowList
        label={t('History')}
        rows={audit.map(({ seq, at, action, actor }) => ({
          id: String(seq),
          title: nameAuditAction(t, action),
          details: `${formatWhenCapitalized(at, now)} · ${describeActor(actor)}`,
        }))}
      />
    </Card>
  );
}
