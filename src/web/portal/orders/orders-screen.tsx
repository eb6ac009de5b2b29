import { type ReactNode, Suspense, useEffect, useLayoutEffect, useRef } from 'react';
import { useLocation, useNavigate, useNavigationType } from 'react-router';
import { t } from '#web/language/texts.ts';
import { focusMain } from '#web/platform/router/focus-main.ts';
import { lazyComponent, usePreloaded } from '#web/platform/updates/missing-chunk.ts';
import styles from '../parts/cards.module.css';
import { CardsSkeleton } from '../parts/cards-skeleton.tsx';
import { OrdersList } from './orders-list.tsx';
import { ordersPath, useOrdersSearch } from './orders-search.ts';

const loadOrderView = () => import('./order-view.tsx').then((module) => module.OrderView);
const OrderView = lazyComponent(loadOrderView);

/** The list, or the order that the address names. */
export function OrdersScreen() {
  const search = useOrdersSearch();
  const { order } = search;
  const close = useClose(order, ordersPath({ ...search, order: null }));
  useFocusOnChange(order);
  usePreloaded(loadOrderView);
  // The boundary stays when the address changes, so that the list is shown until the order can be.
  return (
    <Suspense fallback={<CardsSkeleton label={t('Loading your order…')} />}>
      <Screen key={order}>
        {order === null ? (
          <OrdersList search={search} />
        ) : (
          <OrderView reference={order} listPath={ordersPath({ ...search, order: null })} onClose={close} />
        )}
      </Screen>
    </Suspense>
  );
}

/** Leaves without the focus: removing the focused element would make the browser lay out the page in between. */
function Screen({ children }: { children: ReactNode }) {
  const screen = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = screen.current;
    return () => {
      const { activeElement } = document;
      if (activeElement instanceof HTMLElement && element?.contains(activeElement)) activeElement.blur();
    };
  }, []);
  return (
    <div ref={screen} className={styles.screen}>
      {children}
    </div>
  );
}

/** Goes back if the previous history entry is the list; returns false otherwise. */
function useClose(order: string | null, listPath: string): () => boolean {
  const navigate = useNavigate();
  const historyAction = useNavigationType();
  const { key } = useLocation();
  const before = useRef<{ listPath: string | null; openedFromList: boolean }>({
    listPath: null,
    openedFromList: false,
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: each entry of the history counts, not each render
  useEffect(() => {
    const openedFromList = historyAction === 'PUSH' && before.current.listPath === listPath;
    before.current = { listPath: order === null ? listPath : null, openedFromList };
  }, [key]);
  return () => {
    if (!before.current.openedFromList) return false;
    void navigate(-1);
    return true;
  };
}

/** Focuses the opened order, and on the return journey its link in the list. */
function useFocusOnChange(order: string | null): void {
  const last = useRef(order);
  useEffect(() => {
    const left = last.current;
    last.current = order;
    if (left === order) return;
    const target = order === null ? findOrderLink(left) : null;
    if (target !== null) target.focus({ preventScroll: true });
    // Otherwise what the address names takes it.
    else if (window.location.hash === '') focusMain();
  }, [order]);
}

function findOrderLink(reference: string | null): HTMLElement | null {
  const cards = [...document.querySelectorAll<HTMLElement>('[data-order]')];
  const card = cards.find((each) => each.dataset.order === reference);
  return card?.querySelector<HTMLElement>('a') ?? null;
}
