import { readStored, writeStored } from '../browser-storage.ts';
import { pageConfig } from '../page-config.ts';
import { scrub } from '../reporting/scrub.ts';
import { currentSettings } from '../settings/settings.ts';

const PUSHED_KEY = 'order-completed';
const PUSHED_LIMIT = 50;

let enabled = false;

/** Loads the tag manager once, and only where this host has a container. */
export function initAnalytics(): void {
  if (enabled) return;
  const { tickets_container_id, portal_container_id } = currentSettings().analytics;
  const containerId = pageConfig().host === 'portal' ? portal_container_id : tickets_container_id;
  if (!containerId) return;
  enabled = true;
  // An order's id opens it, so the address on screen goes nowhere as it is.
  push({ page_location: scrub(window.location.href), page_referrer: '' });
  push({ 'gtm.start': Date.now(), event: 'gtm.js' });
  const script = document.createElement('script');
  script.async = true;
  script.src = `https://www.googletagmanager.com/gtm.js?id=${encodeURIComponent(containerId)}`;
  document.head.append(script);
}

/** Once per order reference on this device, however often its confirmation is opened. */
export function pushOrderCompleted(order: { reference: string; total: number; currency: string }): void {
  if (!enabled) return;
  const pushed = readPushed();
  if (pushed.includes(order.reference)) return;
  writeStored(PUSHED_KEY, JSON.stringify([...pushed, order.reference].slice(-PUSHED_LIMIT)));
  push({
    event: 'order-completed',
    order_id: order.reference,
    order_total: decimalAmount(order.total, order.currency),
  });
}

function push(entry: object): void {
  const page = window as Window & { dataLayer?: object[] };
  page.dataLayer ??= [];
  page.dataLayer.push(entry);
}

function decimalAmount(minorUnits: number, currency: string): string {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return (minorUnits / 10 ** digits).toFixed(digits);
}

function readPushed(): string[] {
  try {
    const value: unknown = JSON.parse(readStored(PUSHED_KEY) ?? '[]');
    return Array.isArray(value) ? value.map(String) : [];
  } catch {
    return [];
  }
}
