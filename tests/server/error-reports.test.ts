import { afterAll, beforeAll, expect, test } from 'vitest';
import { openErrorReports } from '#server/core/error-reports.ts';
import { createLog, describeError } from '#server/core/log.ts';
import { withRequestId } from '#server/core/request-id.ts';
import { openCollector, readEvent } from '#tests/setup/error-collector.ts';

const REQUEST_ID = '2f6b1c7e-0a4d-4d0e-9b43-0123456789ab';
let collector: Awaited<ReturnType<typeof openCollector>>;
beforeAll(async () => {
  collector = await openCollector();
});
afterAll(() => collector.stop());

test('logged errors are reported once with their place and request, and without personal data', async () => {
  const reports = openErrorReports({ dsn: collector.dsn, getRelease: () => '1a2b3c' });
  const log = createLog(() => {}, reports.report);
  const error = Object.assign(new TypeError('Key (email)=(ada@example.com) for Ada Lovelace'), {
    code: '23505',
  });
  log.warn('mail refused', describeError(error));
  withRequestId(REQUEST_ID, () => {
    for (let times = 0; times < 3; times += 1) log.error('request failed', describeError(error));
  });
  log.error('refund failed; pay it back by hand', { order_id: 'ord_0123456789abcdefghjkmnpqrs' });
  await reports.stop();

  const [failed, refund, ...more] = collector.received.map(readEvent);
  expect(more).toEqual([]);
  expect(failed).toMatchObject({
    level: 'error',
    environment: 'production',
    release: '1a2b3c',
    tags: { request_id: REQUEST_ID },
    exception: { values: [{ type: 'TypeError', value: 'request failed: 23505' }] },
  });
  const frames: { filename: string }[] = failed.exception.values[0].stacktrace.frames;
  expect(frames.at(-1)?.filename).toBe('app:///tests/server/error-reports.test.ts');
  expect(refund.exception.values[0]).toMatchObject({ value: 'refund failed; pay it back by hand' });
  const sent = collector.received.map(({ body }) => body).join();
  expect(sent).not.toMatch(/Ada|example\.com|ord_|server_name/);
  for (const { headers } of collector.received) expect(headers).not.toHaveProperty('cookie');
});

test('an unreachable collector changes nothing', async () => {
  const closed = await openCollector();
  await closed.stop();
  const written: string[] = [];
  const reports = openErrorReports({ dsn: closed.dsn, getRelease: () => undefined });
  createLog((line) => written.push(line), reports.report).error('request failed');
  await reports.stop();
  expect(written).toHaveLength(1);
});
