import { existsSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

/*
 * Loaded into a server before its own modules: when the file exists that BLOCKED names, its event loop is blocked for
 * ever; when that of OUT_OF_MEMORY exists, it allocates until its memory limit.
 */
const { BLOCKED = '', OUT_OF_MEMORY = '' } = process.env;
const LOOK_EVERY_MS = 20;

if (isMainThread) {
  setInterval(() => {
    if (existsSync(BLOCKED)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    if (!existsSync(OUT_OF_MEMORY)) return;
    for (const kept = []; ; ) kept.push(Array(100_000).fill(kept));
  }, LOOK_EVERY_MS).unref();
}
