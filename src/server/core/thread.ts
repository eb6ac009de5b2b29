import { fileURLToPath } from 'node:url';
import type { Piscina } from 'piscina';

/** Threads load modules as the server does. */
const MODULE_LOADING = fileURLToPath(new URL('../module-loading.js', import.meta.url));
/** Garbage of a thread before it is collected: more is hardly faster and would stay allocated. */
const YOUNG_GENERATION_MB = 12;

/**
 * Runs work on a worker thread that would otherwise delay other requests. The thread starts on first use, does not keep
 * the process alive, ends after it was idle for a while, which frees its memory, and is restarted if it ends.
 * @param script the thread's script; it exports `run`
 * @param niceness lowers the thread's priority where the system supports it, because page requests come first
 * @param idleMs how long the thread waits for more work
 */
export function createWorkerThread<Input, Output>(
  script: URL,
  { niceness, idleMs }: { niceness: number; idleMs: number },
): (input: Input) => Promise<Output> {
  let pool: Promise<Piscina<Input, Output>> | null = null;

  async function open(): Promise<Piscina<Input, Output>> {
    const { Piscina } = await import('piscina');
    const opened = new Piscina<Input, Output>({
      filename: fileURLToPath(script),
      name: 'run',
      minThreads: 0,
      maxThreads: 1,
      idleTimeout: idleMs,
      niceIncrement: niceness,
      // Drawing a document waits for streams, which a thread blocked by Atomics.wait would not serve.
      atomics: 'disabled',
      recordTiming: false,
      workerHistogram: false,
      execArgv: ['--import', MODULE_LOADING],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    // A thread that could not load its script, or failed without work. Waiting work would wait forever.
    opened.on('error', () => {
      pool = null;
      void opened.destroy();
    });
    return opened;
  }

  return async (input) => {
    pool ??= open();
    return (await pool).run(input);
  };
}
