import { createHash } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { providePageConfig } from '#web/platform/page-config.ts';
import { endPushes, findPushState, turnPushOff, turnPushOn } from '#web/platform/push/push.ts';
import { startWorker } from '#web/platform/worker/worker.ts';
import { buildPageConfig, openPage } from '../page.ts';

const ORDER = 'ord_00000000000000000000000000';
const SUBSCRIPTION = {
  endpoint: 'https://push.example/browser',
  keys: { p256dh: 'a public key', auth: 'a secret' },
};
const HASH = createHash('sha256').update(SUBSCRIPTION.endpoint).digest('base64url');
const PATH = `/api/orders/${ORDER}/push_subscriptions/${HASH}`;

type Sent = { method: string | undefined; path: string; body: unknown };

let sent: Sent[];
beforeEach(() => {
  openPage();
  providePageConfig(buildPageConfig({ version: 'b1' }));
  sent = [];
});
afterEach(() => vi.unstubAllGlobals());

/** Stubs a browser that can be told, and a server that knows whether it is. */
async function openBrowser({
  permission = 'default',
  isOn = false,
  userAgent = 'Firefox/140.0',
}: {
  permission?: string;
  isOn?: boolean;
  userAgent?: string;
} = {}) {
  const browser = { isSubscribed: isOn, isOn, permission };
  const subscription = {
    ...{ endpoint: SUBSCRIPTION.endpoint, toJSON: () => SUBSCRIPTION },
    unsubscribe: async () => {
      browser.isSubscribed = false;
      return true;
    },
  };
  const subscribe = vi.fn(async () => {
    browser.isSubscribed = true;
    return subscription;
  });
  const pushManager = {
    subscribe,
    getSubscription: async () => (browser.isSubscribed ? subscription : null),
  };
  const registration = Object.assign(new EventTarget(), { pushManager, active: null, waiting: null });
  const serviceWorker = Object.assign(new EventTarget(), {
    ...{ controller: null, ready: Promise.resolve(registration), startMessages: () => undefined },
    register: async () => registration,
    getRegistration: async () => registration,
    getRegistrations: async () => [registration],
  });
  vi.stubGlobal('navigator', { serviceWorker, userAgent, maxTouchPoints: 0 });
  vi.stubGlobal('caches', { keys: async () => [] });
  vi.stubGlobal('PushManager', class {});
  vi.stubGlobal('Notification', {
    get permission() {
      return browser.permission;
    },
    requestPermission: async () => browser.permission,
  });
  vi.stubGlobal('fetch', async (path: string, { method, body }: RequestInit) => {
    sent.push({ method, path, body: typeof body === 'string' ? JSON.parse(body) : null });
    if (method === 'PUT') browser.isOn = true;
    if (method === 'DELETE') browser.isOn = false;
    const data = path === '/api/push_key' ? { public_key: 'the operator’s key' } : { is_on: browser.isOn };
    return Response.json({ success: true, data, errors: [], status_code: 200 });
  });
  await startWorker();
  return { browser, subscribe };
}

describe('whether a browser is told about an order', () => {
  it('is not asked of the server while it has no subscription', async () => {
    await openBrowser();
    expect(await findPushState(ORDER)).toBe('off');
    expect(sent).toEqual([]);
  });

  it('is asked of the server by the hash of its endpoint', async () => {
    await openBrowser({ permission: 'granted', isOn: true });
    expect(await findPushState(ORDER)).toBe('on');
    expect(sent).toMatchObject([{ method: 'GET', path: PATH }]);
  });

  it('is decided by the browser’s settings where they block it', async () => {
    await openBrowser({ permission: 'denied', isOn: true });
    expect(await findPushState(ORDER)).toBe('denied');
  });

  it.each([
    ['unsupported', 'Firefox/140.0'],
    ['needs-install', 'Mozilla/5.0 (iPhone) Version/18.5 Mobile/15E148 Safari/604.1'],
  ])('is %s without push messages in %s', async (state, userAgent) => {
    await openBrowser({ userAgent });
    Reflect.deleteProperty(globalThis, 'PushManager');
    expect(await findPushState(ORDER)).toBe(state);
    expect(sent).toEqual([]);
  });
});

describe('turning it on', () => {
  it('subscribes with the operator’s key and sends the subscription', async () => {
    const { browser, subscribe } = await openBrowser();
    browser.permission = 'granted';
    expect(await turnPushOn(ORDER)).toBe('on');
    expect(subscribe.mock.calls).toEqual([
      [{ userVisibleOnly: true, applicationServerKey: 'the operator’s key' }],
    ]);
    expect(sent.at(-1)).toEqual({ method: 'PUT', path: PATH, body: { ...SUBSCRIPTION, host: 'portal' } });
  });

  it.each([
    ['denied', 'denied'],
    ['default', 'off'],
  ])('sends nothing if the permission is %s', async (permission, state) => {
    const { subscribe } = await openBrowser({ permission });
    expect(await turnPushOn(ORDER)).toBe(state);
    expect(subscribe).not.toHaveBeenCalled();
    expect(sent).toEqual([]);
  });

  it('replaces a subscription that was made with another key', async () => {
    const { browser, subscribe } = await openBrowser({ permission: 'granted', isOn: true });
    subscribe.mockRejectedValueOnce(new DOMException('Another key', 'InvalidStateError'));
    expect(await turnPushOn(ORDER)).toBe('on');
    expect(subscribe).toHaveBeenCalledTimes(2);
    expect(browser.isSubscribed).toBe(true);
  });
});

describe('turning it off', () => {
  it('ends it for one order and keeps the browser’s subscription for others', async () => {
    const { browser } = await openBrowser({ permission: 'granted', isOn: true });
    expect(await turnPushOff(ORDER)).toBe('off');
    expect(sent).toMatchObject([{ method: 'DELETE', path: PATH }]);
    expect(browser.isSubscribed).toBe(true);
  });

  it('for all orders ends the browser’s subscription, also without a connection', async () => {
    const { browser } = await openBrowser({ permission: 'granted', isOn: true });
    vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('Failed to fetch')));
    await endPushes();
    expect(browser.isSubscribed).toBe(false);
  });
});
