import {
  type BrowserOptions,
  breadcrumbsIntegration,
  captureReactException,
  dedupeIntegration,
  init,
  linkedErrorsIntegration,
} from '@sentry/react';
import { classify } from './classify.ts';
import { cleanBreadcrumb, cleanEvent, privateValues } from './clean-event.ts';
import { type Report, setReporter } from './reporting.ts';

export type ReportSending = {
  dsn: string;
  release: string;
  /** The account's texts that must not leave the device, such as the customer's name. */
  accountTexts: () => readonly string[];
  /** The library's own one if absent. */
  transport?: BrowserOptions['transport'];
};

/**
 * Sends reports to the error collector at `dsn`, the queued ones first. While the browser is offline they wait in
 * memory; nothing is stored.
 */
export function startSendingReports({ dsn, release, accountTexts, transport }: ReportSending): void {
  const knownPrivateValues = () => privateValues(document, accountTexts());
  init({
    dsn,
    release,
    environment: 'production',
    ...(transport && { transport }),
    transportOptions: { fetchOptions: { credentials: 'omit', referrerPolicy: 'no-referrer' } },
    // Errors of the page reach the library through our handlers, which tell what is reported from what reloads the page.
    defaultIntegrations: false,
    integrations: [
      dedupeIntegration(),
      linkedErrorsIntegration(),
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
    beforeSend(event, { data: report }: { data?: Report }) {
      if (report === undefined || classify(report.error.message) !== 'report') return null;
      return cleanEvent(event, report, knownPrivateValues());
    },
  });
  const follow = () => setReporter(navigator.onLine ? capture : null);
  window.addEventListener('online', follow);
  window.addEventListener('offline', follow);
  follow();
}

function capture(report: Report): void {
  captureReactException(report.error, { componentStack: report.componentStack ?? null }, { data: report });
}
