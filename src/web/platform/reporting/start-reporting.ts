import { pageConfig } from '../page-config.ts';
import type { ReportSending } from './send-reports.ts';

/** Loads the code that sends reports, if a collector is configured. Offline, it waits for the network. */
export function startReporting(accountTexts: ReportSending['accountTexts']): void {
  const { sentry_dsn: dsn, version: release } = pageConfig();
  if (dsn === null) return;
  const later = () => window.addEventListener('online', () => startReporting(accountTexts), { once: true });
  if (!navigator.onLine) later();
  else import('./send-reports.ts').then((m) => m.startSendingReports({ dsn, release, accountTexts }), later);
}
