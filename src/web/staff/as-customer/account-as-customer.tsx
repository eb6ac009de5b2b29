import { useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { fillPath, staffPages } from '#contract/paths.ts';
import { NextTrip } from '#web/features/order/next-trip.tsx';
import { OrderSummaryCard } from '#web/features/order/order-summary-card.tsx';
import { findNextLeg, findNextTrip } from '#web/features/order/trips.ts';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { assignColors } from '#web/features/trip-card/card-colors.ts';
import { TripCardFace, TripCardNotes } from '#web/features/trip-card/trip-card-face.tsx';
import { t } from '#web/language/texts.ts';
import type { AccountAsCustomer as Account, OrderSummary, TripCard } from '#web/platform/api/types.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Grid, Stack } from '#web/ui/layout/stack.tsx';
import { accountAsCustomerQuery } from './as-customer-queries.ts';

/** The orders and trip cards of an account as its owner sees them. */
export function AccountAsCustomer({ id }: { id: string }) {
  const query = useQuery(accountAsCustomerQuery(id));
  if (query.data === undefined) {
    return (
      <QueryFallback query={query} problem={t('We could not load the customer')} loading={t('Loading…')}>
        <Skeleton height="24rem" />
      </QueryFallback>
    );
  }
  return <ShownAccount account={query.data} now={query.dataUpdatedAt} />;
}

function ShownAccount({ account, now }: { account: Account; now: number }) {
  const { name, email, orders } = account;
  const next = findNextTrip(orders, now);
  const others = orders.filter(({ reference }) => reference !== next?.order.reference);
  const isAhead = ({ legs }: OrderSummary) => findNextLeg(legs, now) !== null;
  const path = next === null ? '' : orderPath(next.order);
  return (
    <>
      <PageHeader title={t('My Orders')} intro={name === '' ? email : name} />
      <Stack gap="lg">
        {next && <NextTrip trip={next} gate={{ to: path }} to={path} now={now} />}
        <Orders title={t('Upcoming trips')} orders={others.filter(isAhead)} />
        <Orders title={t('Past trips')} orders={others.filter((order) => !isAhead(order))} />
        {orders.length === 0 && (
          <EmptyState icon="ticket" title={t('No orders yet')}>
            {t('Tickets you buy with this email address will appear here.')}
          </EmptyState>
        )}
        <TripCards cards={account.tripCards} now={now} />
      </Stack>
    </>
  );
}

function orderPath({ reference }: Pick<OrderSummary, 'reference'>): string {
  return fillPath(staffPages.orderAsCustomer, { reference });
}

function Orders({ title, orders }: { title: string; orders: readonly OrderSummary[] }) {
  if (orders.length === 0) return null;
  return (
    <Stack as="section" gap="sm" aria-label={title}>
      <h2>{title}</h2>
      <Grid as="ul">
        {orders.map((order) => (
          <li key={order.id}>
            <OrderSummaryCard order={order} to={orderPath(order)} />
          </li>
        ))}
      </Grid>
    </Stack>
  );
}

/** Lost ones are left out: the customer sees no more of them than that they are lost. */
function TripCards({ cards, now }: { cards: readonly TripCard[]; now: number }) {
  const live = cards.filter(({ status }) => status !== 'lost');
  const colors = assignColors(live);
  if (live.length === 0) return null;
  return (
    <Stack as="section" gap="sm" aria-label={t('Trip Cards')}>
      <h2>{t('Trip Cards')}</h2>
      <Grid as="ul">
        {live.map((card) => (
          <li key={card.id}>
            <ShownCard card={card} color={colors.get(card.id)} now={now} />
          </li>
        ))}
      </Grid>
    </Stack>
  );
}

function ShownCard(props: { card: TripCard; color: number | undefined; now: number }) {
  const titleId = useId();
  return (
    <Card as="article" aria-labelledby={titleId}>
      <TripCardFace {...props} titleId={titleId} />
      <Stack gap="sm">
        <TripCardNotes card={props.card} now={props.now} />
      </Stack>
    </Card>
  );
}
