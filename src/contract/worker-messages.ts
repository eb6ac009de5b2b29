import { type Host, type Page, pages } from './pages.ts';

/**
 * What pages and the service worker say to each other. Pages of one release talk to the worker of another, so
 * each side ignores what it does not know, and a question may stay without an answer: ask with a limit.
 */
export const PROTOCOL = 1;

/** How long an answer is worth waiting for, in milliseconds. */
export const ANSWER_WITHIN = 1500;

/** Set to `cache` by the worker on an answer it kept from before; absent when the network gave it just now. */
export const SOURCE_HEADER = 'x-source';

export type ConnectionState = 'available' | 'unavailable';

/** What made a page believe it: no connection, no answer in time, an answer that is not the API's, or a probe. */
export type ConnectionReason = 'network' | 'timeout' | 'bad-content' | 'probe';

type Question = { v: typeof PROTOCOL; id: string };

/** Answered by STATE with the question's id in `re`. */
export type ToWorker =
  | (Question & { type: 'GET_STATE' })
  /** To the waiting worker: take over, if you are the build `target`. */
  | (Question & { type: 'SKIP_WAITING'; target: string })
  /** What this tab's calls found, for all other tabs; `at` in epoch milliseconds. */
  | (Question & { type: 'CONN_REPORT'; state: ConnectionState; at: number; why: ConnectionReason });

export type WorkerState = {
  v: typeof PROTOCOL;
  re?: string;
  type: 'STATE';
  build: string;
  /** The last finding any tab or the worker itself made; null when it is older than ten seconds. */
  conn: { state: ConnectionState; at: number } | null;
};

export type FromWorker =
  | WorkerState
  /** A finding of another tab, or of the worker's own look at version.txt. */
  | {
      v: typeof PROTOCOL;
      type: 'CONN';
      state: ConnectionState;
      at: number;
      from: 'page' | 'version';
    }
  | { v: typeof PROTOCOL; type: 'VERSION'; text: string; source: 'network' | 'cache'; at: number }
  /** The device had no room for what was to be kept. */
  | { v: typeof PROTOCOL; type: 'STORAGE'; problem: 'quota' };

/** The channel on which tabs of one origin talk without the worker. */
export const TAB_CHANNEL = 'ferry';

export type TabMessage =
  | { type: 'UPDATE_VOTE'; target: string; id: string }
  /** What CONN_REPORT says, where there is no worker to pass it on. */
  | { type: 'CONN'; state: ConnectionState; at: number }
  | { type: 'VOTE'; id: string; busy: boolean; reason?: string }
  /** This tab can be spared again. */
  | { type: 'IDLE' }
  /** Saved data under these keys was written; read or fetch it anew. */
  | { type: 'DATA'; keys: string[]; at: number };

/** What the server tells the worker of a host, in front of its script. */
export type WorkerConfig = {
  build: string;
  host: Host;
  /** Where settings "web" are published, without the timestamp. */
  settings_url: string;
};

export const WORKER_PATH = '/sw.js';
/** Where the object storage publishes settings "web". */
export const SETTINGS_PATH = '/public/settings/web.json';
/** The document of a host that answers every navigation; the server makes it, the worker keeps it. */
export const SHELL_PATH = '/__shell';
/** Query parameter by which a worker asks for a document of its own release. */
export const RELEASE_PARAMETER = 'release';
/** The file that names the release being served. */
export const VERSION_PATH = '/version.txt';

/** Never answered by the worker: takes everything kept in the browser away. */
export const RESET_PATH = '/__reset';

/**
 * The documents that answer a host's navigations. The public home page comes with its content, so that it is
 * readable at once; every other page starts from the shell.
 */
export function documentsOf(host: Host): readonly string[] {
  const prerendered = Object.entries<Page>(pages[host]).filter(([, page]) => page.isPrerendered);
  return [...prerendered.map(([path]) => path), SHELL_PATH];
}

/** The one of them that answers a path. */
export function documentFor(host: Host, pathname: string): string {
  return documentsOf(host).includes(pathname) ? pathname : SHELL_PATH;
}

const TO_WORKER = new Set<string>(['GET_STATE', 'SKIP_WAITING', 'CONN_REPORT'] satisfies ToWorker['type'][]);
const FROM_WORKER = new Set<string>(['STATE', 'CONN', 'VERSION', 'STORAGE'] satisfies FromWorker['type'][]);

/** A message of this protocol, or null: other versions, other types and other scripts' messages are ignored. */
export function findToWorker(data: unknown): ToWorker | null {
  return isMessage(data, TO_WORKER) && typeof data.id === 'string' ? (data as ToWorker) : null;
}

export function findFromWorker(data: unknown): FromWorker | null {
  return isMessage(data, FROM_WORKER) ? (data as FromWorker) : null;
}

function isMessage(data: unknown, types: ReadonlySet<string>): data is { type: string; id?: unknown } {
  if (typeof data !== 'object' || data === null) return false;
  const { v, type } = data as { v?: unknown; type?: unknown };
  return v === PROTOCOL && typeof type === 'string' && types.has(type);
}
