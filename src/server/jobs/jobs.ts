import { setTimeout as delay } from 'node:timers/promises';
import { type Job, type JobResult, PgBoss } from 'pg-boss';
import { describeError, type Log } from '../core/log.ts';
import { getRequestId, withRequestId } from '../core/request-id.ts';
import type { SqlStore } from '../database/sql-store.ts';
import { isDatabaseUnavailable } from '../database/unavailable.ts';

/** Background jobs by name; each belongs to one module, which registers its worker. */
export const JOB_NAMES = [
  'send-due-mails',
  'send-mail',
  'send-due-pushes',
  'send-due-sms',
  'expire-holds',
  'end-unpaid-changes',
  'reconcile-payments',
  'fetch-payouts',
  'refund',
  'save-card',
  'sync-payment-cards',
  'delete-card-holder',
  'reconcile-top-ups',
  'reissue-tickets',
  'notify-pass-ends',
  'roll-timetable',
  'clear-no-room',
  'settle-offers',
  'poll-realtime',
  'renew-demo',
  'book-breakage',
  'book-missing-sales',
  'issue-receipts',
  'report-problems',
  'anchor-audit-log',
  'apply-retention',
] as const;
export type JobName = (typeof JOB_NAMES)[number];

export function isJobName(name: string): name is JobName {
  return JOB_NAMES.some((each) => each === name);
}

type Data = Record<string, string>;
type Handler = (data: Data, stopping: AbortSignal) => Promise<void>;

export type QueueCounts = { queue: string; ready: number; active: number; failed: number };

export type Jobs = {
  /** Enqueues one run. Data contains ids only, never private data. */
  send(name: JobName, data: Data, options?: { startAfterSeconds?: number }): Promise<void>;
  /**
   * Fire and forget: starts a run soon of a job that finds its own work, in this process if it works on the job. Triggers
   * close together become one run, and a trigger may be lost, so the job must also be scheduled.
   */
  trigger(name: JobName): void;
  /**
   * Registers the worker of a job; failed runs are retried with increasing delays. Runs start at one per second, or
   * with `atOnce` up to that many in parallel as fast as they finish. `stopping` is aborted as soon as this process
   * stops: a long run should end after the item it is at.
   */
  work(name: JobName, handler: Handler, options?: { atOnce?: number }): Promise<void>;
  /** Runs a job repeatedly, once across all processes. `cron` has minute resolution. */
  schedule(name: JobName, cron: string): Promise<void>;
  /** The jobs of each queue that can run now, run, or have failed all their tries. Up to a minute old. */
  countJobs(): Promise<readonly QueueCounts[]>;
  start(): Promise<void>;
  /** Waits for runs in progress, 10 s at most. */
  stop(): Promise<void>;
};

/**
 * The queue's own workers look for runs this often, each with a statement. Within that time they are woken: one statement
 * looks for the runs of all jobs, which takes an embedded database a tenth of the processor time.
 */
const WORKER_POLL_SECONDS = 60;

const DUE_JOBS = `
  select name from unnest($1::text[]) as name where exists (
    select from pgboss.job j
    where j.name = name.name and j.state < 'active' and not j.blocked and j.start_after <= now()
  )`;

/** Triggers within this time of the first become one run, so that the mails of several orders share statements. */
const TRIGGER_DELAY_MS = 500;

/** How long a stop waits for runs in progress. */
const STOP_MS = 10_000;

/** Of how many requests a run of several triggers carries the ids. */
const MAX_REQUEST_IDS = 20;

/** A run that is about to be sent, and the requests that triggered it. */
type Trigger = { timer: NodeJS.Timeout; requestIds: Set<string> };

/**
 * The job queue in the product's own database, on either engine.
 * @param pollSeconds between two looks for runs
 */
export function createJobs(store: SqlStore, log: Log, pollSeconds = 1): Jobs {
  const boss = new PgBoss({
    db: {
      async executeSql(text, values) {
        return { rows: await store.query(text, values as unknown[] | undefined) };
      },
    },
  });
  const triggered = new Map<JobName, Trigger>();
  const workers = new Map<string, string>();
  let polling: NodeJS.Timeout | undefined;
  const poll = async () => {
    try {
      const due = await store.query<{ name: string }>(DUE_JOBS, [[...workers.keys()]]);
      for (const { name } of due) boss.notifyWorker(workers.get(name) ?? '');
    } catch (error) {
      if (polling) log.error('job queue failed', describeError(error));
    }
    polling?.refresh();
  };
  const stopping = new AbortController();
  const handlers = new Map<JobName, Handler>();
  /** The triggered runs in progress. */
  const running = new Map<JobName, Promise<boolean>>();

  /** @returns false if the run failed */
  async function run(name: JobName, { request_id: requestId, ...data }: Data): Promise<boolean> {
    const work = async () => {
      try {
        await handlers.get(name)?.(data, stopping.signal);
        if (requestId !== undefined) log.info('job done', { job: name });
        return true;
      } catch (error) {
        const fields = { job: name, ...describeError(error) };
        if (isDatabaseUnavailable(error)) log.warn('job interrupted by the database', fields);
        else log.error('job failed', fields);
        return false;
      }
    };
    return requestId === undefined ? work() : withRequestId(requestId, work);
  }

  async function runQueued(name: JobName, id: string, data: Data): Promise<JobResult> {
    return { id, status: (await run(name, data)) ? 'completed' : 'failed' };
  }

  async function runHere(name: JobName, data: Data): Promise<boolean> {
    const result = run(name, data);
    running.set(name, result);
    const isDone = await result;
    running.delete(name);
    return isDone;
  }

  boss.on('error', (error) => log.error('job queue failed', describeError(error)));
  return {
    async send(name, data, { startAfterSeconds = 0 } = {}) {
      const options = { startAfter: startAfterSeconds };
      await boss.send(name, withIdOfRequest(data, getRequestId()), options);
    },
    trigger(name) {
      const pending = triggered.get(name);
      const ids = pending?.requestIds ?? new Set();
      const requestId = getRequestId();
      if (requestId !== undefined && ids.size < MAX_REQUEST_IDS) ids.add(requestId);
      if (pending) return;
      const start = async () => {
        await running.get(name);
        triggered.delete(name);
        const data = withIdOfRequest({}, ids.size > 0 ? [...ids].join(' ') : undefined);
        const isDone = handlers.has(name) && (await runHere(name, data));
        // The queue repeats a failed run, and gives it to another process if this one does not work on the job.
        if (!isDone) await boss.send(name, data).catch(() => {});
      };
      triggered.set(name, { timer: setTimeout(start, TRIGGER_DELAY_MS), requestIds: ids });
    },
    async work(name, handler, { atOnce = 1 } = {}) {
      handlers.set(name, handler);
      const worker = await boss.work(
        name,
        {
          pollingIntervalSeconds: WORKER_POLL_SECONDS,
          batchSize: atOnce,
          burstWhenBatchFull: true,
          perJobResults: true,
        },
        (batch: Job<Data>[]) => Promise.all(batch.map(({ id, data }) => runQueued(name, id, data ?? {}))),
      );
      workers.set(name, worker);
    },
    async schedule(name, cron) {
      await boss.schedule(name, cron);
    },
    async countJobs() {
      const queues = await boss.getQueues();
      return queues.map(({ name, readyCount, activeCount, failedCount }) => ({
        queue: name,
        ready: readyCount,
        active: activeCount,
        failed: failedCount,
      }));
    },
    async start() {
      await boss.start();
      const existing = new Set((await boss.getQueues()).map(({ name }) => name));
      for (const name of JOB_NAMES.filter((each) => !existing.has(each))) {
        await boss.createQueue(name, {
          retryLimit: 12,
          retryDelay: 5,
          retryBackoff: true,
          retryDelayMax: 3600,
        });
      }
      polling = setTimeout(poll, pollSeconds * 1000);
    },
    async stop() {
      stopping.abort();
      clearTimeout(polling);
      polling = undefined;
      for (const { timer } of triggered.values()) clearTimeout(timer);
      await Promise.race([Promise.all(running.values()), delay(STOP_MS, undefined, { ref: false })]);
      await boss.stop({ graceful: true, timeout: STOP_MS });
    },
  };
}

/** The job's log lines carry the id, also after a retry. */
function withIdOfRequest(data: Data, requestId: string | undefined): Data {
  return requestId === undefined ? data : { ...data, request_id: requestId };
}
