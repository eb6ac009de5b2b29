import { pageConfig } from '../page-config.ts';

/** Loads what sends reports, where there is somewhere to send them. Offline it is fetched when the network is back. */
export function beginReporting(): void {
  const { sentry_dsn, version } = pageConfig();
  if (sentry_dsn === null) return;
  const later = () => window.addEventListener('online', beginReporting, { once: true });
  if (!navigator.onLine) later();
  else import('./send-reports.ts').then((m) => m.startSendingReports(sentry_dsn, version), later);
}
