import { HOSTS } from '#contract/hosts.ts';
import { type FromWorker, RELEASE_PARAMETER } from '#contract/worker-messages.ts';
import type { BuiltFile } from '#sw/cache-rules.ts';
import type { Tab, WorkerContext } from '#sw/worker-context.ts';

export const ORIGIN = 'https://my.ferry.example';
export const SETTINGS_URL = 'https://storage.ferry.example/public/settings/web.json';

export const BUILT: BuiltFile[] = [
  { url: '/assets/main-1.js', revision: null, hosts: HOSTS },
  { url: '/assets/orders-1.js', revision: null, hosts: ['portal'] },
  { url: '/assets/orders-1.css', revision: null, hosts: ['portal'] },
  { url: '/assets/pay-1.js', revision: null, hosts: ['tickets'] },
  { url: '/icon.svg', revision: 'a1', hosts: HOSTS },
  { url: '/assets/messages-1/{language}/portal/start.js', revision: null, hosts: ['portal'] },
];

type Answer = Response | Error | 'hang' | ((url: string, init: RequestInit) => Promise<Response> | Response);

/** A simulated environment of the worker: one browser's caches and tabs, one network, and a clock. */
export class FakeWorld {
  readonly caches = new FakeCaches();
  readonly tabs: FakeTab[] = [];
  readonly requests: { url: string; release: string | null; init: RequestInit }[] = [];
  readonly answers = new Map<string, Answer>();
  time = Date.parse('2026-11-21T12:00:00Z');
  /** Of the visitor, in which the server renders documents; null for English. */
  language: string | null = null;
  tookOver = 0;
  readonly shown: ({ title: string } & NotificationOptions)[] = [];
  readonly opened: string[] = [];
  nextSubscription = fakeSubscription('https://push.example/next');

  /** A server with release `build`: its documents, its files, the API and the settings. */
  serve(build: string, built: readonly BuiltFile[] = BUILT): this {
    for (const path of ['/', '/orders', '/trip_cards', '/__shell']) {
      this.answers.set(path, () => this.document(build));
    }
    this.answers.set('/version.txt', () => this.answerWith(build, 'text/plain; charset=utf-8'));
    this.answers.set(SETTINGS_URL, () => Response.json({ brand: { name: 'Harbor Line' } }));
    for (const { url } of built) {
      for (const language of ['en-XA', 'ar-XB']) {
        const path = url.replace('{language}', language);
        this.answers.set(path, () => this.answerWith(path, typeOf(path)));
      }
    }
    return this;
  }

  document(build: string): Response {
    const preload =
      this.language === null ? '' : `<link href="/assets/messages-1/${this.language}/portal/start.js" />`;
    return this.answerWith(
      `${preload}<script id="page-config">{"version":"${build}"}</script>`,
      'text/html; charset=utf-8',
    );
  }

  answerWith(body: string, type: string, status = 200): Response {
    return new Response(body, {
      status,
      headers: { 'content-type': type, date: new Date(this.time).toUTCString() },
    });
  }

  offline(): void {
    for (const url of this.answers.keys()) this.answers.set(url, new TypeError('Failed to fetch'));
  }

  openTab(path = '/'): FakeTab {
    const tab = new FakeTab(`tab-${this.tabs.length + 1}`, new URL(path, ORIGIN).href);
    this.tabs.push(tab);
    return tab;
  }

  /** A restarted worker: only the browser's storage is kept. */
  worker(
    build: string,
    { host = 'portal', built = BUILT }: { host?: 'tickets' | 'portal'; built?: BuiltFile[] } = {},
  ): WorkerContext {
    return {
      config: { build, host, settings_url: SETTINGS_URL },
      origin: ORIGIN,
      built,
      caches: this.caches,
      fetch: (request, init) => this.fetch(request, init),
      now: () => this.time,
      tabs: async () => this.tabs,
      takeOver: async () => {
        this.tookOver += 1;
      },
      notify: async (title, options) => {
        this.shown.push({ title, ...options });
      },
      open: async (address) => {
        this.opened.push(address);
      },
      subscribe: async () => this.nextSubscription,
    };
  }

  private async fetch(request: Request | string, init: RequestInit): Promise<Response> {
    const url = new URL(typeof request === 'string' ? request : request.url, ORIGIN);
    url.searchParams.delete('t');
    const key = url.origin === ORIGIN ? url.pathname : url.href;
    this.requests.push({ url: key, release: url.searchParams.get(RELEASE_PARAMETER), init });
    const answer = this.answers.get(key) ?? this.answerWith('Not found', 'text/plain', 404);
    if (answer === 'hang') return untilAborted(init.signal ?? null);
    if (answer instanceof Error) throw answer;
    return typeof answer === 'function' ? answer(key, init) : answer.clone();
  }
}

export class FakeTab implements Tab {
  readonly heard: FromWorker[] = [];
  readonly id: string;
  readonly url: string;
  isFocused = false;

  constructor(id: string, url: string) {
    this.id = id;
    this.url = url;
  }

  async focus(): Promise<void> {
    this.isFocused = true;
  }

  postMessage(message: unknown): void {
    this.heard.push(message as FromWorker);
  }

  heardOf<Type extends FromWorker['type']>(type: Type): Extract<FromWorker, { type: Type }>[] {
    return this.heard.filter(
      (message): message is Extract<FromWorker, { type: Type }> => message.type === type,
    );
  }
}

/** A subscription as a browser has it. */
export function fakeSubscription(endpoint: string): PushSubscription {
  const keys = { p256dh: 'key', auth: 'secret' };
  const options = { applicationServerKey: null, userVisibleOnly: true };
  return {
    endpoint,
    options,
    expirationTime: null,
    getKey: () => null,
    toJSON: () => ({ endpoint, keys }),
    unsubscribe: async () => true,
  };
}

class FakeCaches implements CacheStorage {
  private readonly all = new Map<string, FakeCache>();
  isFull = false;

  async open(name: string): Promise<Cache> {
    const cache = this.all.get(name) ?? new FakeCache(() => this.isFull);
    this.all.set(name, cache);
    return cache;
  }

  async has(name: string): Promise<boolean> {
    return this.all.has(name);
  }

  async delete(name: string): Promise<boolean> {
    return this.all.delete(name);
  }

  async keys(): Promise<string[]> {
    return [...this.all.keys()];
  }

  async match(
    request: RequestInfo | URL,
    options: MultiCacheQueryOptions = {},
  ): Promise<Response | undefined> {
    for (const [name, cache] of this.all) {
      if (options.cacheName !== undefined && options.cacheName !== name) continue;
      const found = await cache.match(request);
      if (found) return found;
    }
    return undefined;
  }

  /** The addresses kept in a cache, as paths where they are of this origin. */
  async paths(name: string): Promise<string[]> {
    const keys = (await this.all.get(name)?.keys()) ?? [];
    return keys.map(({ url }) => url.replace(ORIGIN, ''));
  }
}

class FakeCache implements Cache {
  private readonly entries = new Map<string, Response>();
  private readonly isFull: () => boolean;

  constructor(isFull: () => boolean) {
    this.isFull = isFull;
  }

  async match(request: RequestInfo | URL): Promise<Response | undefined> {
    return this.entries.get(getKey(request))?.clone();
  }

  async put(request: RequestInfo | URL, response: Response): Promise<void> {
    if (this.isFull()) throw Object.assign(new Error('Quota exceeded.'), { name: 'QuotaExceededError' });
    const { status, headers } = response;
    this.entries.set(getKey(request), new Response(await response.text(), { status, headers }));
  }

  async keys(): Promise<readonly Request[]> {
    return [...this.entries.keys()].map((url) => new Request(url));
  }

  async delete(request: RequestInfo | URL): Promise<boolean> {
    return this.entries.delete(getKey(request));
  }

  async matchAll(): Promise<readonly Response[]> {
    return [...this.entries.values()].map((response) => response.clone());
  }

  add(): Promise<void> {
    throw new Error('The worker fetches with limits, so never through a cache.');
  }

  addAll(): Promise<void> {
    return this.add();
  }
}

function getKey(request: RequestInfo | URL): string {
  return new URL(request instanceof Request ? request.url : request, ORIGIN).href;
}

function typeOf(url: string): string {
  if (url.endsWith('.js')) return 'text/javascript; charset=utf-8';
  return url.endsWith('.css') ? 'text/css; charset=utf-8' : 'image/svg+xml';
}

function untilAborted(signal: AbortSignal | null): Promise<Response> {
  return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
}
