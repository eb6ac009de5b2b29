import type { WorkerConfig } from '#contract/worker-messages.ts';
import type { BuiltFile } from './what-is-kept.ts';

/** A tab of this origin, whether this worker answers its requests or not. */
export type Tab = { readonly id: string; postMessage(message: unknown): void };

/**
 * All that the worker reaches. Handed to every function, because a worker is stopped and started at any moment:
 * what is not in here, in a cache or in a message does not exist.
 */
export type Surroundings = {
  config: WorkerConfig;
  origin: string;
  /** Every file of the build with the hosts that want it. */
  built: readonly BuiltFile[];
  caches: CacheStorage;
  fetch(request: Request | string, init: RequestInit): Promise<Response>;
  /** Epoch milliseconds. */
  now(): number;
  tabs(): Promise<readonly Tab[]>;
  takeOver(): Promise<void>;
};
