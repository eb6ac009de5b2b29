import { toDecimal } from '#domain/fares/money.ts';
import { createStore } from '../create-store.ts';
import { trustedScript } from '../trusted-types.ts';
import { type CompletedOrder, countCompletedOrders } from './completed-orders.ts';

const SCRIPT = 'https://www.googletagmanager.com/gtm.js';

const isEnabled = createStore(false);

/** Loads the tag manager with this host's container once, and counts completed orders. */
export function initAnalytics(containerId: string): void {
  if (isEnabled.get()) return;
  isEnabled.set(true);
  push({ 'gtm.start': Date.now(), event: 'gtm.js' });
  const script = document.createElement('script');
  script.async = true;
  script.src = trustedScript(`${SCRIPT}?id=${encodeURIComponent(containerId)}`);
  document.head.append(script);
  countCompletedOrders(pushOrderCompleted);
}

function pushOrderCompleted({ reference, total, currency }: CompletedOrder): void {
  push({ event: 'order-completed', order_id: reference, order_total: toDecimal(total, currency) });
}

function push(entry: object): void {
  const page = window as Window & { dataLayer?: object[] };
  page.dataLayer ??= [];
  page.dataLayer.push(entry);
}
