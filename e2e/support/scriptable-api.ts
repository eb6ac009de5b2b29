import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * What happens to a request. `drop`: the connection closes without a response. `cut`: the response begins and
 * breaks off. `hang`: it is taken and never answered. `portal`: a foreign page with status 200, as from the
 * network of a terminal. `pass`: through to the product, `after`: when that is settled. A function answers by itself.
 */
export type Behavior =
  | 'drop'
  | 'cut'
  | 'hang'
  | 'portal'
  | 'pass'
  | { status: number; body?: unknown; headers?: Record<string, string> }
  | { delayMs: number }
  | { after: Promise<unknown> }
  | ((incoming: IncomingMessage, outgoing: ServerResponse) => void);

/**
 * The start of a path on any host of the product (`/api/`, `/version.txt`), or a pattern over the method and the whole
 * address (`/^GET .*my\.ferry.*\/api\/customers\/orders/`).
 */
export type Matcher = string | RegExp;

export type Passage = {
  method: string;
  /** The whole address. */
  url: string;
  path: string;
  startedAt: number;
  /** Undefined while it is under way. */
  endedAt?: number;
};

/** The connection between a browser and the product, which a test can break. Times are `performance.now()` of the test. */
export type ScriptableApi = {
  /** From now on; of several rules that match, the last one given decides. */
  on: (matcher: Matcher, behavior: Behavior) => void;
  /** Removes the rules of one matcher, or all. Hanging requests continue to hang. */
  clear: (matcher?: Matcher) => void;
  /** Closes the connections of hanging requests, like a network that recovers. */
  breakHanging: () => void;
  /** Nothing of the product answers: API, pages, worker and assets alike. */
  stop: () => void;
  /** Makes `/api/` unavailable and nothing else. */
  down: (behavior?: Behavior) => void;
  /** Everything passes again. */
  up: () => void;
  /** Down and up again, `times` times, beginning and ending as given. */
  flap: (times: number, downMs: number, upMs: number, behavior?: Behavior) => Promise<void>;
  /** The matching requests so far, oldest first; `since` of an earlier `performance.now()`. */
  passages: (matcher: Matcher, since?: number) => Passage[];
  /** The maximum number of concurrent ones. */
  mostAtOnce: (matcher: Matcher, since?: number) => number;
};

export type Scripting = {
  api: ScriptableApi;
  /** `forward` takes the request on to the product. */
  handle: (incoming: IncomingMessage, outgoing: ServerResponse, forward: () => void) => void;
};

/** `onChange` runs when the rules change, for what keeps connections of the time before. */
export function openScripting(onChange: () => void = () => undefined): Scripting {
  let rules: { matcher: Matcher; behavior: Behavior }[] = [];
  const all: Passage[] = [];
  const hanging = new Set<ServerResponse>();
  const set = (next: typeof rules) => {
    rules = next;
    onChange();
  };
  const without = (matcher: Matcher) => rules.filter((rule) => String(rule.matcher) !== String(matcher));
  const api: ScriptableApi = {
    on: (matcher, behavior) => set([...without(matcher), { matcher, behavior }]),
    clear: (matcher) => set(matcher === undefined ? [] : without(matcher)),
    breakHanging: () => {
      for (const outgoing of hanging) outgoing.destroy();
    },
    stop: () => api.on('/', 'drop'),
    down: (behavior = 'drop') => api.on('/api/', behavior),
    up: () => api.clear(),
    flap: async (times, downMs, upMs, behavior) => {
      for (let time = 0; time < times; time += 1) {
        api.down(behavior);
        await later(downMs);
        api.clear('/api/');
        await later(upMs);
      }
    },
    passages: (matcher, since = 0) =>
      all.filter((passage) => passage.startedAt >= since && matches(matcher, passage)),
    mostAtOnce: (matcher, since) => mostAtOnce(api.passages(matcher, since)),
  };
  return {
    api,
    handle(incoming, outgoing, forward) {
      const passage = begin(incoming, outgoing);
      all.push(passage);
      const rule = rules.findLast(({ matcher }) => matches(matcher, passage));
      if (rule?.behavior === 'hang') {
        hanging.add(outgoing);
        outgoing.on('close', () => hanging.delete(outgoing));
      }
      behave(rule?.behavior ?? 'pass', incoming, outgoing, forward);
    },
  };
}

const PORTAL_PAGE = '<!doctype html><title>Free Wi-Fi</title><p>Welcome aboard. Accept the terms to go on.';

function begin(incoming: IncomingMessage, outgoing: ServerResponse): Passage {
  const { method = '', url = '' } = incoming;
  const path = URL.parse(url)?.pathname ?? url;
  const passage: Passage = { method, url, path, startedAt: performance.now() };
  outgoing.on('close', () => {
    passage.endedAt = performance.now();
  });
  return passage;
}

function behave(
  behavior: Behavior,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  forward: () => void,
): void {
  if (behavior === 'pass') {
    forward();
  } else if (typeof behavior === 'function') {
    behavior(incoming, outgoing);
  } else if (typeof behavior === 'object' && 'delayMs' in behavior) {
    void later(behavior.delayMs).then(() => outgoing.destroyed || forward());
  } else if (typeof behavior === 'object' && 'after' in behavior) {
    void behavior.after.then(() => outgoing.destroyed || forward());
  } else {
    incoming.resume();
    answer(behavior, outgoing);
  }
}

type Reply = Exclude<
  Behavior,
  'pass' | { delayMs: number } | { after: Promise<unknown> } | ((...args: never[]) => void)
>;

function answer(behavior: Reply, outgoing: ServerResponse): void {
  if (behavior === 'hang') return;
  if (behavior === 'drop') {
    outgoing.destroy();
  } else if (behavior === 'cut') {
    outgoing.writeHead(200, { 'content-type': 'application/json', 'content-length': 1000 });
    outgoing.write('{"success":', () => outgoing.destroy());
  } else if (behavior === 'portal') {
    outgoing.writeHead(200, { 'content-type': 'text/html' }).end(PORTAL_PAGE);
  } else {
    const { status, body, headers } = behavior;
    const isText = typeof body === 'string';
    outgoing.writeHead(status, {
      'content-type': isText ? 'text/plain' : 'application/json',
      'cache-control': 'no-store',
      ...headers,
    });
    outgoing.end(isText ? body : JSON.stringify(body ?? {}));
  }
}

function matches(matcher: Matcher, { method, url, path }: Passage): boolean {
  return typeof matcher === 'string' ? path.startsWith(matcher) : matcher.test(`${method} ${url}`);
}

/** One that a browser has given up is noticed here a moment after the next has come. */
const NOTICED_WITHIN = 200;

function mostAtOnce(passages: readonly Passage[]): number {
  const isBeside = (one: Passage) => (other: Passage) =>
    other === one ||
    (other.startedAt <= one.startedAt &&
      (other.endedAt ?? Number.POSITIVE_INFINITY) > one.startedAt + NOTICED_WITHIN);
  return Math.max(0, ...passages.map((one) => passages.filter(isBeside(one)).length));
}

function later(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
