import { useQuery } from '@tanstack/react-query';
import { Suspense, useEffect } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { orderStage } from '#web/features/order/order-stage.ts';
import { useIsFresh } from '#web/features/saved-offline/saved-age.tsx';
import { LoadProblem } from '#web/features/site/load-problem.tsx';
import { orderCompleted } from '#web/platform/analytics/completed-orders.ts';
import { hasErrorCode } from '#web/platform/api/api-error.ts';
import type { Order } from '#web/platform/api/types.ts';
import { orderQuery } from '#web/platform/query/queries.ts';
import { lazyPart } from '#web/platform/updates/missing-part.ts';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { clearDraft, draftStore, useDraft } from '../draft.ts';
import { keptOrder, useKeptOrders } from '../kept/kept-orders.ts';
import { BookedOrder, type BookedOrderProps } from './booked-order.tsx';
import { useOwnContact } from './use-own-contact.ts';

/** Most visitors come for tickets that are paid. */
const UnknownOrder = lazyPart(async () => (await import('./unknown-order.tsx')).UnknownOrder);
const UnpaidOrder = lazyPart(async () => (await import('./unpaid-order.tsx')).UnpaidOrder);

const ASK_EVERY_MS = 2000;

export function ConfirmationScreen() {
  const { id = '' } = useParams();
  const order = useQuery({
    ...orderQuery(id),
    ...keptOrder(),
    refetchInterval: ({ state }) => (state.data && isMoving(state.data) ? ASK_EVERY_MS : false),
  });
  const isFresh = useIsFresh(order);
  const isRestoring = useKeptOrders();
  useCleanAddress();
  const ownContact = useOwnContact(id);
  useSettledPurchase(order.data);
  if (order.data) return <KnownOrder order={order.data} isFresh={isFresh} ownContact={ownContact} />;
  if (!order.isError || isRestoring) {
    return <Loading />;
  }
  if (hasErrorCode(order.error, 'not_found')) {
    return (
      <Suspense fallback={<Loading />}>
        <UnknownOrder />
      </Suspense>
    );
  }
  return <LoadProblem title="Your order could not be loaded" query={order} />;
}

function Loading() {
  return (
    <output>
      <span className="visually-hidden">Loading your order…</span>
      <Skeleton height="4rem" lines={5} />
    </output>
  );
}

function KnownOrder({ order, isFresh, ownContact }: BookedOrderProps) {
  const { orderId, isPaymentOpen } = useDraft();
  // Sent from this tab a moment ago: offering to pay again would be the one wrong thing to do.
  const isSent = orderId === order.id && isPaymentOpen;
  const known = orderStage(order);
  const view = known === 'unpaid' && isSent ? 'processing' : known;
  return view === 'booked' ? (
    <BookedOrder order={order} isFresh={isFresh} ownContact={ownContact} />
  ) : (
    <Suspense fallback={<Loading />}>
      <UnpaidOrder order={order} view={view} />
    </Suspense>
  );
}

function isMoving(order: Order): boolean {
  const view = orderStage(order);
  return view === 'processing' || view === 'unpaid';
}

/** What the provider hung on the address after its check is a secret, and nobody's bookmark. */
function useCleanAddress(): void {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const hasSecret = search.has('payment_intent_client_secret');
  useEffect(() => {
    if (hasSecret) void navigate({ search: '' }, { replace: true });
  }, [hasSecret, navigate]);
}

function useSettledPurchase(order: Order | undefined): void {
  const view = order && orderStage(order);
  useEffect(() => {
    if (!order || view === 'processing' || view === 'unpaid') return;
    if (draftStore.get().orderId === order.id) clearDraft();
    if (order.status === 'confirmed' || order.status === 'completed') orderCompleted(order);
  }, [order, view]);
}
