import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

// JavaScript, because TypeScript would load the compiler into this thread, see module-loading.js.

/** @type {import('./watchdog.ts').WatchdogInput} */
const { beats, checks, checkEveryMs } = workerData;
let last = -1;
let missed = 0;

// Checks are counted instead of time, because this thread stands still too while the whole process or machine does.
setInterval(() => {
  const [beat = 0, isDebugged] = beats;
  missed = beat === last && !isDebugged ? missed + 1 : 0;
  last = beat;
  if (missed < checks) return;
  try {
    const seconds = (checks * checkEveryMs) / 1000;
    writeSync(
      2,
      `The server was blocked for ${seconds} seconds and ends, so that its supervisor starts it again.\n`,
    );
  } finally {
    // The blocked thread would not run handlers of another signal.
    process.kill(process.pid, 'SIGKILL');
  }
}, checkEveryMs);
