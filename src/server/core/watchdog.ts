import { url as debuggerUrl } from 'node:inspector';
import { Worker } from 'node:worker_threads';

/**
 * `beats`: shared with the thread: a counter that the event loop raises, and whether a debugger may have stopped it.
 * `checks`: how many checks without a new beat end the process.
 */
export type WatchdogInput = { beats: Int32Array; checks: number; checkEveryMs: number };

const BEAT = 0;
const IS_DEBUGGED = 1;
const CHECKS = 10;

/**
 * Kills the process when its event loop was blocked for a time, for example by the embedded database on a disk that has
 * become read-only, so that a supervisor starts it again. Does nothing while a debugger can be attached.
 */
export function startWatchdog({ limitMs }: { limitMs: number }): { stop(): Promise<void> } {
  const beats = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  const checkEveryMs = limitMs / CHECKS;
  const workerData: WatchdogInput = { beats, checks: CHECKS, checkEveryMs };
  const worker = new Worker(new URL('./watchdog-worker.js', import.meta.url), {
    workerData,
    execArgv: [],
  });
  worker.unref();
  const timer = setInterval(() => {
    Atomics.add(beats, BEAT, 1);
    Atomics.store(beats, IS_DEBUGGED, debuggerUrl() === undefined ? 0 : 1);
  }, checkEveryMs).unref();
  return {
    async stop() {
      clearInterval(timer);
      await worker.terminate();
    },
  };
}
