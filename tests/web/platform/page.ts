import { vi } from 'vitest';
import { HOSTS, type Host } from '#contract/hosts.ts';
import type { PageConfig } from '#contract/settings/schemas.ts';
import { ORIGINS } from '#tests/factories/origins.ts';
import { attachAccount } from '#web/platform/account/ping.ts';
import { providePageConfig } from '#web/platform/page-config.ts';
import { setReporter } from '#web/platform/reporting/reporting.ts';
import { clearSession, forgetSignInExpired, onLeave } from '#web/platform/session/session.ts';
import { onReload } from '#web/platform/updates/reload.ts';
import { resetStores } from './reset-stores.ts';

export const { portal: PORTAL, tickets: TICKETS, staff: STAFF, storage: STORAGE } = ORIGINS;
export const TOKEN = 'ses_00000000000000000000000001';

export function buildPageConfig(over: Partial<PageConfig> = {}): PageConfig {
  return {
    host: 'portal',
    origins: ORIGINS,
    parent_domain: 'ferry.localhost',
    password_min_length: 8,
    provider: {
      publishable_key: 'pk_test_1',
      script_url: 'http://pay.ferry.localhost:8080/endive/stripe.js',
      is_test: true,
    },
    sentry_dsn: null,
    version: '1',
    settings: {
      brand: {
        name: 'Sound Ferries',
        accent: '#004488',
        logo_url: null,
        icon_url: null,
        maskable_icon_url: null,
        tagline: null,
      },
      contact: { phone: '1', email: 'a@example.com', url: null, booth_hours: null },
      legal: { privacy_url: null, imprint_url: null, accessibility_url: null },
      language: 'en-US',
      units: 'imperial',
      terms: { version: '1', text: ['Be kind.'], acceptance: 'checkbox' },
      top_up: { presets: [2000, 5000, 10_000], min: 500, max: 50_000 },
      analytics: {
        tickets_container_id: null,
        portal_container_id: null,
        recorder_site_id: null,
        requires_consent: false,
      },
    },
    ...over,
  };
}

/** The host of an address. */
export function findHost(url: string): Host {
  const host = HOSTS.find((each) => url.startsWith(ORIGINS[each]));
  if (host === undefined) throw new Error(`${url} is on no host.`);
  return host;
}

/** Opens a new page without stored data, signed out, with the API available. Returns its navigations and reports. */
export function openPage(url = `${PORTAL}/orders`, over: Partial<PageConfig> = {}) {
  const happy = window as unknown as { happyDOM: { setURL(url: string): void } };
  happy.happyDOM.setURL(url);
  providePageConfig(buildPageConfig({ host: findHost(url), ...over }));
  void clearSession();
  forgetSignInExpired();
  localStorage.clear();
  sessionStorage.clear();
  resetStores();
  attachAccount();
  const page = {
    navigations: [] as string[],
    reloads: 0,
    reports: [] as { message: string; level: string }[],
  };
  onLeave((to) => page.navigations.push(to));
  onReload(() => {
    page.reloads += 1;
  });
  setReporter(({ error, level }) => page.reports.push({ message: error.message, level }));
  return page;
}

type Route = (request: { url: string; init: RequestInit }) => Response | Promise<Response>;

/** Responds to every later fetch with `answer`. Returns the list of requests. */
export function answerFetches(answer: Route) {
  const requests: { url: string; init: RequestInit }[] = [];
  vi.stubGlobal('fetch', async (url: string, init: RequestInit = {}) => {
    requests.push({ url, init });
    return answer({ url, init });
  });
  return requests;
}

export function json(body: unknown, status = 200): Response {
  return new Response(JSON.stringify(body), { status, headers: { 'content-type': 'application/json' } });
}

export function success(data: unknown, rest: object = {}): Response {
  return json({ success: true, data, errors: [], status_code: 200, ...rest });
}

/** A request that ends only when it is aborted. */
export function hanging({ init }: { init: RequestInit }): Promise<Response> {
  return new Promise((_, reject) => {
    init.signal?.addEventListener('abort', () => reject(new DOMException('Aborted', 'AbortError')));
  });
}
