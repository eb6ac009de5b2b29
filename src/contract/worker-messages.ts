import type { Host } from './hosts.ts';

/**
 * Messages between pages and the service worker. A page and the worker may be of different releases, so each ignores
 * unknown messages, and a question may get no answer: always use a timeout.
 */
export const PROTOCOL = 1;

/** Timeout for a response, in milliseconds. */
export const ANSWER_WITHIN = 1500;

/** Set to `cache` by the worker on a cached response; absent on a response from the network. */
export const SOURCE_HEADER = 'x-source';

export type ConnectionState = 'available' | 'unavailable';

/** Why a page considers the connection lost: no network, a timeout, a response that is not the API's, or a probe. */
export type ConnectionReason = 'network' | 'timeout' | 'bad-content' | 'probe';

/** Answered with the worker's state on the message's port, as `messageSW` of workbox-window expects. */
export type ToWorker =
  | { v: typeof PROTOCOL; type: 'GET_STATE' }
  /** The visitor has chosen another language: its files and documents are needed offline. */
  | { v: typeof PROTOCOL; type: 'CHANGE_LANGUAGE' }
  /** The connection state this tab observed, for all other tabs; `at` in epoch milliseconds. */
  | { v: typeof PROTOCOL; type: 'CONN_REPORT'; state: ConnectionState; at: number; why: ConnectionReason }
  /** `messageSkipWaiting` of workbox-window sends it to the waiting worker, without a version. */
  | { type: typeof SKIP_WAITING };

export type WorkerState = {
  v: typeof PROTOCOL;
  type: 'STATE';
  build: string;
  /** The last state reported by any tab or the worker; null if it is older than ten seconds. */
  conn: { state: ConnectionState; at: number } | null;
};

/** What the worker tells every tab. */
export type FromWorker =
  /** A state reported by another tab, or by the worker's own request for version.txt. */
  | {
      v: typeof PROTOCOL;
      type: 'CONN';
      state: ConnectionState;
      at: number;
      from: 'page' | 'version';
    }
  | { v: typeof PROTOCOL; type: 'VERSION'; text: string; source: 'network' | 'cache'; at: number }
  /** The device has no space for the data to be stored. */
  | { v: typeof PROTOCOL; type: 'STORAGE'; problem: 'quota' };

/** BroadcastChannel on which the tabs of an origin communicate without the worker. */
export const TAB_CHANNEL = 'ferry';

export type TabMessage =
  | { type: 'UPDATE_VOTE'; target: string; id: string }
  /** The content of CONN_REPORT, for browsers without a worker. */
  | { type: 'CONN'; state: ConnectionState; at: number }
  | { type: 'VOTE'; id: string; busy: boolean; reason?: string }
  /** This tab can be reloaded safely again. */
  | { type: 'IDLE' }
  /** Saved data under this key has changed and must be read or fetched again. */
  | { type: 'DATA'; key: string; at: number };

/** Configuration of the worker of a host, prepended to its script by the server. */
export type WorkerConfig = {
  build: string;
  host: Host;
  /** Where settings "web" are published, without the timestamp. */
  settings_url: string;
};

/** The content of a push, encrypted for one browser. */
export type PushMessage = {
  v: typeof PROTOCOL;
  title: string;
  body: string;
  /** Of title and body. */
  language: string;
  /** The page that it opens, on the worker's host. A later push with the same path replaces it. */
  path: string;
};

export const WORKER_PATH = '/sw.js';
/** Where the object storage publishes settings "web". */
export const SETTINGS_PATH = '/public/settings/web.json';
/** The document of pages without their own, rendered by the server and cached by the worker. */
export const SHELL_PATH = '/__shell';
/** Query parameter with which a worker requests a document of its own release. */
export const RELEASE_PARAMETER = 'release';
/** The file that contains the current release. */
export const VERSION_PATH = '/version.txt';

/** Never answered by the worker: clears all site data in the browser. */
export const RESET_PATH = '/__reset';

const SKIP_WAITING = 'SKIP_WAITING';
const TO_WORKER = ['GET_STATE', 'CHANGE_LANGUAGE', 'CONN_REPORT', SKIP_WAITING] satisfies ToWorker['type'][];
const FROM_WORKER = ['CONN', 'VERSION', 'STORAGE'] satisfies FromWorker['type'][];

/** Validates a message of this protocol; null for other versions, other types and messages of other scripts. */
export function findToWorker(data: unknown): ToWorker | null {
  return isMessage(data, TO_WORKER) ? (data as ToWorker) : null;
}

export function findFromWorker(data: unknown): FromWorker | null {
  return isMessage(data, FROM_WORKER) ? (data as FromWorker) : null;
}

export function findWorkerState(data: unknown): WorkerState | null {
  return isMessage(data, ['STATE'] satisfies WorkerState['type'][]) ? (data as WorkerState) : null;
}

function isMessage(data: unknown, types: readonly unknown[]): boolean {
  if (typeof data !== 'object' || data === null) return false;
  const { v, type } = data as { v?: unknown; type?: unknown };
  return (v === PROTOCOL || type === SKIP_WAITING) && types.includes(type);
}
