import type { WorkerConfig } from '#contract/worker-messages.ts';
import type { BuiltFile } from './cache-rules.ts';

/** A tab of this origin, controlled by this worker or not. */
export type Tab = {
  readonly id: string;
  readonly url: string;
  postMessage(message: unknown): void;
  focus(): Promise<unknown>;
};

/**
 * Everything the worker has access to, passed to every function. The browser stops and starts workers at any time, so
 * there is no other state than this, the caches and the messages.
 */
export type WorkerContext = {
  config: WorkerConfig;
  origin: string;
  /** Every file of the build, with the hosts that need it. */
  built: readonly BuiltFile[];
  caches: CacheStorage;
  fetch(request: Request | string, init: RequestInit): Promise<Response>;
  /** Epoch milliseconds. */
  now(): number;
  tabs(): Promise<readonly Tab[]>;
  takeOver(): Promise<void>;
  notify(title: string, options: NotificationOptions): Promise<void>;
  /** Opens a page of this origin. */
  open(address: string): Promise<unknown>;
  subscribe(options: PushSubscriptionOptionsInit): Promise<PushSubscription>;
};
