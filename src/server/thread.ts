import { setPriority } from 'node:os';
import { parentPort, Worker } from 'node:worker_threads';

type Asked<Question> = { id: number; question: Question };
type Answered<Answer> = { id: number; answer: Answer } | { id: number; refusal: string };
type Waiting<Answer> = { resolve(answer: Answer): void; reject(error: Error): void };

/**
 * Runs work on a worker thread that would otherwise delay other requests. The thread starts on first use, does not keep
 * the process alive, and is restarted if it ends.
 * @param script the thread's script; it calls `answerQuestions`
 * @param task for errors: "makes documents"
 */
export function createThread<Question, Answer>(
  script: URL,
  task: string,
): (question: Question) => Promise<Answer> {
  const waiting = new Map<number, Waiting<Answer>>();
  let thread: Worker | null = null;
  let asked = 0;

  function start(): Worker {
    const started = new Worker(script);
    started.unref();
    started.on('message', (message: Answered<Answer>) => {
      const asker = waiting.get(message.id);
      waiting.delete(message.id);
      if (waiting.size === 0) started.unref();
      if ('answer' in message) asker?.resolve(message.answer);
      else asker?.reject(new Error(message.refusal));
    });
    started.on('error', (cause) => giveUp(started, new Error(`The thread that ${task} failed.`, { cause })));
    started.on('exit', () => giveUp(started, new Error(`The thread that ${task} ended.`)));
    return started;
  }

  /** The next request starts another thread. */
  function giveUp(ended: Worker, error: Error): void {
    if (ended !== thread) return;
    thread = null;
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  return (question) => {
    thread ??= start();
    const asking = thread;
    asked += 1;
    const id = asked;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      asking.ref();
      asking.postMessage({ id, question } satisfies Asked<Question>);
    });
  };
}

/**
 * Answers requests of `createThread`; called by the thread's own script.
 * @param niceness lowers the thread's priority where the system supports it, because page requests come first
 */
export function answerQuestions<Question, Answer>(
  niceness: number,
  answer: (question: Question) => Answer | Promise<Answer>,
): void {
  if (process.platform === 'linux') setPriority(niceness);
  parentPort?.on('message', async ({ id, question }: Asked<Question>) => {
    parentPort?.postMessage(await answered(id, async () => answer(question)));
  });
}

async function answered<Answer>(id: number, work: () => Promise<Answer>): Promise<Answered<Answer>> {
  try {
    return { id, answer: await work() };
  } catch (error) {
    return { id, refusal: error instanceof Error ? error.message : 'It could not be done.' };
  }
}
