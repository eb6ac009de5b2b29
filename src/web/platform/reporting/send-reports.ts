import {
  type Breadcrumb,
  BrowserClient,
  breadcrumbsIntegration,
  dedupeIntegration,
  defaultStackParser,
  getCurrentScope,
  makeFetchTransport,
} from '@sentry/react';
import { scrubAddress } from '#domain/error-reports/scrub.ts';
import { buildEvent, privateValues } from './event.ts';
import { type Report, setReporter } from './reporting.ts';

export type ReportSending = {
  dsn: string;
  release: string;
  /** The account's texts that must not leave the device, such as the customer's name. */
  accountTexts: () => readonly string[];
};

/**
 * Sends reports to the error collector at `dsn`, the queued ones first. While the browser is offline they wait in
 * memory; nothing is stored.
 */
export function startSendingReports({ dsn, release, accountTexts }: ReportSending): void {
  const knownPrivateValues = () => privateValues(document, accountTexts());
  const client = new BrowserClient({
    dsn,
    release,
    environment: 'production',
    transport: makeFetchTransport,
    transportOptions: { fetchOptions: { credentials: 'omit', referrerPolicy: 'no-referrer' } },
    stackParser: defaultStackParser,
    integrations: [
      dedupeIntegration(),
      breadcrumbsIntegration({ fetch: true, history: true, dom: false, sentry: false, xhr: false }),
    ],
    sendClientReports: false,
    dataCollection: {
      userInfo: false,
      cookies: false,
      httpHeaders: false,
      httpBodies: [],
      urlQueryParams: false,
      stackFrameVariables: false,
    },
    maxBreadcrumbs: 20,
    beforeBreadcrumb: (breadcrumb) => cleanBreadcrumb(breadcrumb, knownPrivateValues()),
  });
  getCurrentScope().setClient(client);
  client.init();
  const send = (report: Report) =>
    void client.captureEvent(
      buildEvent(report, defaultStackParser, knownPrivateValues()),
      {},
      getCurrentScope(),
    );
  const follow = () => setReporter(navigator.onLine ? send : null);
  window.addEventListener('online', follow);
  window.addEventListener('offline', follow);
  follow();
}

/** Keeps which pages and calls were visited, without bodies, queries and texts. */
export function cleanBreadcrumb(
  { category, type, level, timestamp, data }: Breadcrumb,
  known: readonly string[],
): Breadcrumb {
  const clean: Breadcrumb = { data: {} };
  Object.assign(clean, { category, type, level, timestamp });
  for (const [name, value] of Object.entries(data ?? {})) {
    if (name === 'method' || name === 'status_code') clean.data = { ...clean.data, [name]: value };
    else if (name === 'url' || name === 'from' || name === 'to') {
      clean.data = { ...clean.data, [name]: scrubAddress(String(value), known) };
    }
  }
  return clean;
}
