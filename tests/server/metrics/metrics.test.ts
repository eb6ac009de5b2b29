import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { recordBackup } from '#server/backups/last-backup.ts';
import { createPrometheusMetrics, type PrometheusMetrics } from '#server/metrics/prometheus.ts';
import { readFigures } from '#server/metrics/read-figures.ts';
import { type Office, openOffice } from '#tests/factories/buyer.ts';

const MINUTE = 60_000;
let office: Office;
let metrics: PrometheusMetrics;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  metrics = createPrometheusMetrics();
  office.context.metrics = metrics;
});

/** The value of a metric with exactly these labels; undefined if it is not exposed. */
async function read(name: string, labels = ''): Promise<number | undefined> {
  const text = await metrics.render({
    release: 'r1',
    readFigures: () => readFigures(office.context),
    readPool: () => ({ total: 10, idle: 8, waiting: 0 }),
  });
  const line = text.split('\n').find((each) => each.startsWith(`${name}${labels} `));
  return line === undefined ? undefined : Number(line.split(' ').at(-1));
}

async function buy(): Promise<void> {
  const { intent } = await office.takePayment();
  await office.confirmWith(intent);
  await office.provider.deliverNow();
}

test('a paid order is counted as a confirmed checkout, and a request by its route', async () => {
  await buy();
  expect(await read('gangway_checkouts_total', '{outcome="confirmed"}')).toBe(1);
  expect(await read('gangway_checkouts_total', '{outcome="declined"}')).toBe(0);
  const labels = '{method="POST",route="/api/holds",status="201"}';
  expect(await read('gangway_http_request_duration_seconds_count', labels)).toBe(1);
});

test('an order that costs nothing is counted as a confirmed checkout', async () => {
  await office.takeOrder({ promo: 'FREE' });
  expect(await read('gangway_checkouts_total', '{outcome="confirmed"}')).toBe(1);
});

test('an order that is never paid is counted once as expired', async () => {
  await office.takeOrder();
  office.clock.advance(21 * MINUTE);
  await office.jobs.send('expire-holds', {});
  await office.jobs.runJobs();
  expect(await read('gangway_checkouts_total', '{outcome="expired"}')).toBe(1);
  expect(await read('gangway_holds')).toBe(0);
});

test('places held for buyers, and jobs that wait, are figures', async () => {
  await office.takeOrder();
  await office.jobs.send('refund', { refund_id: 'ref_0' });
  expect(await read('gangway_holds')).toBe(1);
  expect(await read('gangway_jobs', '{queue="refund",state="ready"}')).toBe(1);
});

test('mails and refunds that wait are figures', async () => {
  await buy();
  const queued = Number(await read('gangway_mails_queued'));
  expect(queued).toBeGreaterThan(0);
  expect([await read('gangway_refunds_open'), await read('gangway_refunds_failed')]).toEqual([0, 0]);
});

test('the age of the last backup is a figure once there is one', async () => {
  expect(await read('gangway_backup_age_seconds')).toBeUndefined();
  await recordBackup(office.context.db, new Date(Date.now() - 60_000));
  metrics = createPrometheusMetrics();
  expect(await read('gangway_backup_age_seconds')).toBeGreaterThanOrEqual(60);
});

test('without a database the figures of the process remain readable', async () => {
  const text = await metrics.render({
    release: 'r1',
    readFigures: () => Promise.reject(new Error('away')),
    readPool: () => null,
  });
  expect(text).toContain('gangway_database_up 0');
  expect(text).toContain('gangway_info{release="r1"} 1');
  expect(text).toContain('nodejs_eventloop_lag_seconds');
});
