import type { BrowserContext } from '@playwright/test';

export const TICKETS_CONTAINER = 'https://www.googletagmanager.com/gtm.js?id=GTM-TICKETS';
export const PORTAL_CONTAINER = 'https://www.googletagmanager.com/gtm.js?id=GTM-PORTAL';
export const RECORDER = 'https://static.hotjar.com/c/hotjar-4711.js?sv=6';

/** Simulates a container, which sends everything pushed to it, with the page's address, to its collector. */
const CONTAINER_SCRIPT = `
const tell = (pushed) => fetch('https://www.google-analytics.com/g/collect', {
  method: 'POST', mode: 'no-cors', keepalive: true, body: JSON.stringify({ at: location.href, pushed }),
});
dataLayer.forEach(tell);
dataLayer.push = (...entries) => { entries.forEach(tell); return Array.prototype.push.apply(dataLayer, entries); };
`;

/** Simulates the provider's hosts, so that no request leaves the machine. */
export async function playOthers(context: BrowserContext) {
  const requests: { url: string; body: string | null }[] = [];
  await context.route(/^https:/, (route) => {
    const url = route.request().url();
    requests.push({ url, body: route.request().postData() });
    return route.fulfill({
      status: 200,
      contentType: 'text/javascript',
      body: url.includes('/gtm.js') ? CONTAINER_SCRIPT : '',
    });
  });
  return {
    requests,
    loaded: () => requests.filter(({ url }) => !url.includes('/collect')).map(({ url }) => url),
    told: () =>
      requests
        .filter(({ url }) => url.includes('/collect'))
        .map(({ body }) => JSON.parse(body ?? '') as { at: string; pushed: object }),
  };
}
