import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '#server/core/log.ts';
import { withRequestId } from '#server/core/request-id.ts';
import { createJobs, type Jobs } from '#server/jobs/jobs.ts';
import { failedJobs } from '#tests/process/server-process.ts';
import { openTestDatabase, type TestDatabase } from '#tests/setup/database.ts';

const SECOND = 1000;
let database: TestDatabase;
let jobs: Jobs;
const logged: string[] = [];
beforeAll(async () => {
  database = await openTestDatabase();
  jobs = createJobs(
    database.store,
    createLog((line) => logged.push(line)),
    0.5,
  );
  await jobs.start();
});
afterAll(async () => {
  await jobs.stop();
  await database.close();
});

test('Requested runs are executed in parallel up to the limit, each once', async () => {
  const done: string[] = [];
  let [running, most] = [0, 0];
  const work = async ({ mail_id = '' }: Record<string, string>) => {
    running += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setImmediate(resolve));
    running -= 1;
    done.push(mail_id);
  };
  await Promise.all(
    Array.from({ length: 25 }, (_, index) => jobs.send('send-mail', { mail_id: String(index) })),
  );
  await jobs.work('send-mail', work, { atOnce: 10 });
  await expect.poll(() => done.length, { timeout: 10 * SECOND }).toBe(25);
  expect(new Set(done).size).toBe(25);
  expect(most).toBe(10);
});

test('A failed run is retried, and the others of its batch are not', async () => {
  const tried: string[] = [];
  await Promise.all(['good', 'bad', 'fine'].map((id) => jobs.send('refund', { refund_id: id })));
  const work = async ({ refund_id = '' }: Record<string, string>) => {
    tried.push(refund_id);
    if (refund_id === 'bad') throw new Error('not this time');
  };
  await jobs.work('refund', work, { atOnce: 3 });
  await expect.poll(() => tried.length, { timeout: 10 * SECOND }).toBe(3);
  const states = async () => {
    const rows = await database.store.query<{ id: string; state: string }>(
      `select data->>'refund_id' as id, state from pgboss.job where name = 'refund'`,
    );
    return Object.fromEntries(rows.map(({ id, state }) => [id, state]));
  };
  await expect
    .poll(states, { timeout: 10 * SECOND })
    .toEqual({ good: 'completed', fine: 'completed', bad: 'retry' });
  expect(failedJobs(logged.join('\n')).map(({ job }) => job)).toContain('refund');
});

test('A run carries the ids of the requests that asked for it in its log lines and into further runs', async () => {
  const data: Record<string, string>[] = [];
  await jobs.work('expire-holds', async () => {
    await jobs.send('clear-no-room', { sailing_id: 's1' });
  });
  await jobs.work('clear-no-room', async (given) => void data.push(given));
  for (const id of ['first', 'second']) withRequestId(id, () => jobs.trigger('expire-holds'));
  await expect.poll(() => data, { timeout: 10 * SECOND }).toEqual([{ sailing_id: 's1' }]);
  const lines = () => logged.map((line) => JSON.parse(line)).filter(({ event }) => event === 'job done');
  await expect
    .poll(() => lines().map(({ job, request_id }) => [job, request_id]), { timeout: 10 * SECOND })
    .toEqual([
      ['expire-holds', 'first second'],
      ['clear-no-room', 'first second'],
    ]);
});

test('Triggers become one run in the process that works on the job, and the queue repeats a failed one', async () => {
  let runs = 0;
  await jobs.work('renew-demo', async () => {
    runs += 1;
    if (runs === 2) throw new Error('not this time');
  });
  const queued = () => database.store.query(`select state from pgboss.job where name = 'renew-demo'`);
  for (let time = 0; time < 3; time += 1) jobs.trigger('renew-demo');
  await expect.poll(() => runs, { timeout: 10 * SECOND }).toBe(1);
  expect(await queued()).toEqual([]);
  jobs.trigger('renew-demo');
  await expect.poll(() => runs, { timeout: 10 * SECOND }).toBe(3);
  await expect.poll(queued, { timeout: 10 * SECOND }).toEqual([{ state: 'completed' }]);
});

test('A run without a database connection is retried and not logged as a failed job', async () => {
  let runs = 0;
  await jobs.send('apply-retention', {});
  await jobs.work('apply-retention', async () => {
    runs += 1;
    if (runs === 1) throw Object.assign(new Error('no connection'), { code: 'ECONNREFUSED' });
  });
  const states = () => database.store.query(`select state from pgboss.job where name = 'apply-retention'`);
  await expect.poll(states, { timeout: 10 * SECOND }).toEqual([{ state: 'retry' }]);
  expect(logged.join()).toContain('job interrupted by the database');
  expect(failedJobs(logged.join('\n')).filter(({ job }) => job === 'apply-retention')).toEqual([]);
});

test('A run in progress learns that its process stops, and ends as completed', async () => {
  await jobs.send('settle-offers', {});
  let isRunning = false;
  await jobs.work('settle-offers', async (_, stopping) => {
    isRunning = true;
    await new Promise((resolve) => stopping.addEventListener('abort', resolve, { once: true }));
  });
  await expect.poll(() => isRunning, { timeout: 10 * SECOND }).toBe(true);
  await jobs.stop();
  expect(await database.store.query(`select state from pgboss.job where name = 'settle-offers'`)).toEqual([
    { state: 'completed' },
  ]);
});
