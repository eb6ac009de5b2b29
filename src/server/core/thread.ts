import { setPriority } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parentPort, Worker } from 'node:worker_threads';

type RequestMessage<Input> = { id: number; input: Input };
type ResponseMessage<Output> = { id: number; answer: Output } | { id: number; refusal: string };
type Waiting<Output> = { resolve(answer: Output): void; reject(error: Error): void };

/** Threads load modules as the server does. */
const MODULE_LOADING = fileURLToPath(new URL('../module-loading.js', import.meta.url));
/** Garbage of a thread before it is collected: more is hardly faster and would stay allocated. */
const YOUNG_GENERATION_MB = 12;

/**
 * Runs work on a worker thread that would otherwise delay other requests. The thread starts on first use, does not keep
 * the process alive, ends after it was idle for a while, which frees its memory, and is restarted if it ends.
 * @param script the thread's script; it calls `serveRequests`
 * @param task for errors: "makes documents"
 * @param idleMs how long the thread waits for more work
 */
export function createWorkerThread<Input, Output>(
  script: URL,
  { task, idleMs }: { task: string; idleMs: number },
): (input: Input) => Promise<Output> {
  const waiting = new Map<number, Waiting<Output>>();
  let thread: Worker | null = null;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;

  function start(): Worker {
    const started = new Worker(script, {
      execArgv: ['--import', MODULE_LOADING],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB },
    });
    started.unref();
    started.on('message', (message: ResponseMessage<Output>) => {
      const request = waiting.get(message.id);
      waiting.delete(message.id);
      if (waiting.size === 0) rest(started);
      if ('answer' in message) request?.resolve(message.answer);
      else request?.reject(new Error(message.refusal));
    });
    started.on('error', (cause) =>
      failPending(started, new Error(`The thread that ${task} failed.`, { cause })),
    );
    started.on('exit', () => failPending(started, new Error(`The thread that ${task} ended.`)));
    return started;
  }

  function rest(worker: Worker): void {
    worker.unref();
    idle = setTimeout(() => {
      thread = null;
      void worker.terminate();
    }, idleMs).unref();
  }

  /** The next request starts another thread. */
  function failPending(ended: Worker, error: Error): void {
    if (ended !== thread) return;
    thread = null;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  return (input) => {
    clearTimeout(idle);
    thread ??= start();
    const worker = thread;
    lastId += 1;
    const id = lastId;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage({ id, input } satisfies RequestMessage<Input>);
    });
  };
}

/**
 * Answers requests of `createWorkerThread`; called by the thread's own script.
 * @param niceness lowers the thread's priority where the system supports it, because page requests come first
 */
export function serveRequests<Input, Output>(
  niceness: number,
  answer: (input: Input) => Output | Promise<Output>,
): void {
  if (process.platform === 'linux') setPriority(niceness);
  parentPort?.on('message', async ({ id, input }: RequestMessage<Input>) => {
    parentPort?.postMessage(await answered(id, async () => answer(input)));
  });
}

async function answered<Output>(id: number, work: () => Promise<Output>): Promise<ResponseMessage<Output>> {
  try {
    return { id, answer: await work() };
  } catch (error) {
    return { id, refusal: error instanceof Error ? error.message : 'It could not be done.' };
  }
}
