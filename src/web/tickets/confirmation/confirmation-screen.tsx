import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { orderStage } from '#web/features/order/order-status.ts';
import { useIsFresh } from '#web/features/saved-offline/saved-age.tsx';
import { LoadProblem } from '#web/features/site/load-problem.tsx';
import { t } from '#web/language/texts.ts';
import { reportCompletedOrder } from '#web/platform/analytics/outside-scripts.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import type { Order } from '#web/platform/api/types.ts';
import { orderQuery } from '#web/platform/query/queries.ts';
import { onSessionCleared } from '#web/platform/session/session.ts';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';
import { Loading } from '#web/ui/feedback/skeleton.tsx';
import { useDraft, usePurchase } from '../purchase.ts';
import { saveTickets, useRestoringOrders } from '../saved-tickets/saved-orders.ts';
import { BookedOrder, type BookedOrderProps, type OwnPurchaseState } from './booked-order.tsx';
import type { OwnPurchase } from './wrong-address.tsx';

const UnknownOrder = lazyComponent(async () => (await import('./unpaid-order.tsx')).UnknownOrder);
const UnpaidOrder = lazyComponent(async () => (await import('./unpaid-order.tsx')).UnpaidOrder);

const POLL_MS = 2000;

export function ConfirmationScreen() {
  const { id = '' } = useParams();
  const order = useQuery({
    ...orderQuery(id),
    ...saveTickets(),
    refetchInterval: ({ state }) => (state.data && isPending(state.data) ? POLL_MS : false),
  });
  const isFresh = useIsFresh(order);
  const isRestoring = useRestoringOrders();
  useAddressWithoutSecret();
  const own = useOwnPurchase(id);
  useFinishedPurchase(order.data);
  if (order.data) return <LoadedOrder order={order.data} isFresh={isFresh} own={own} />;
  if (!order.isError || isRestoring) return <LoadingOrder />;
  if (hasErrorCode(order.error, 'not_found')) {
    return (
      <Suspense fallback={<LoadingOrder />}>
        <UnknownOrder />
      </Suspense>
    );
  }
  return <LoadProblem title={t('Your order could not be loaded')} query={order} />;
}

function LoadedOrder({ order, isFresh, own }: BookedOrderProps) {
  const { orderId, isPaymentOpen } = useDraft();
  // A payment that this tab has just sent must not be offered again.
  const isSent = orderId === order.id && isPaymentOpen;
  const stage = orderStage(order);
  return stage === 'booked' ? (
    <BookedOrder order={order} isFresh={isFresh} own={own} />
  ) : (
    <Suspense fallback={<LoadingOrder />}>
      <UnpaidOrder order={order} stage={stage === 'unpaid' && isSent ? 'processing' : stage} />
    </Suspense>
  );
}

function LoadingOrder() {
  return <Loading text={t('Loading your order…')} height="4rem" lines={5} />;
}

function isPending(order: Order): boolean {
  return ['processing', 'unpaid'].includes(orderStage(order));
}

/** Removes the secret that the provider appends to the address after its check. */
function useAddressWithoutSecret(): void {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const hasSecret = search.has('payment_intent_client_secret');
  useEffect(() => {
    if (hasSecret) void navigate({ search: '' }, { replace: true });
  }, [hasSecret, navigate]);
}

/**
 * Contact and assistance of the order, which the API hides or masks for visitors who only have the link, in the tab that
 * bought it or in which a code mailed to the buyer was typed. Leaving the page or signing out forgets them.
 */
function useOwnPurchase(orderId: string): OwnPurchaseState {
  const { get } = usePurchase();
  // Read before the finished purchase is cleared.
  const [own, setOwn] = useState<OwnPurchase | null>(() => {
    const { orderId: bought, orderContact, buyerSecret } = get();
    if (bought !== orderId || orderContact === null) return null;
    const { assistance = [], ...contact } = orderContact;
    return { contact, assistance, buyerSecret };
  });
  useEffect(() => onSessionCleared(() => setOwn(null)), []);
  return [own, setOwn];
}

function useFinishedPurchase(order: Order | undefined): void {
  const { get, clear } = usePurchase();
  useEffect(() => {
    if (!order || isPending(order)) return;
    if (get().orderId === order.id) clear();
    if (order.status === 'confirmed' || order.status === 'completed') reportCompletedOrder(order);
  }, [order, get, clear]);
}
