import { afterEach, beforeEach, expect, test } from 'vitest';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
beforeEach(async () => {
  server = await openTestServer();
  await server.jobs.work('refund', async () => {
    throw new Error('The provider is gone.');
  });
  await server.jobs.work('apply-retention', async () =>
    server.context.log.error('one row was left', { error: 'Error' }),
  );
});
afterEach(() => server.close());

test('A test fails when a job throws or logs an error', async () => {
  await server.jobs.send('refund', {});
  await expect(server.jobs.runJobs()).rejects.toThrow('A job failed: refund');
  server.jobs.asked.length = 0;
  await server.jobs.send('apply-retention', {});
  await expect(server.jobs.runJobs()).rejects.toThrow('A job failed: one row was left');
});

test('An allowed failure keeps the job queued', async () => {
  await server.jobs.send('refund', {});
  await server.jobs.runJobs({ mayFail: ['refund'] });
  expect(server.jobs.asked).toEqual([{ name: 'refund', data: {} }]);
});
