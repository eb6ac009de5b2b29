import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { download } from '#web/platform/api/file.ts';
import { apiAvailable, lastFinding } from '#web/platform/connection/connection.ts';
import { answerFetches, openPage } from '../page.ts';

beforeEach(() => {
  openPage();
});
afterEach(() => {
  openPage();
  vi.unstubAllGlobals();
});

test('a file is what the server named it', async () => {
  const headers = { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="may.csv"' };
  answerFetches(() => new Response('a,b', { headers }));
  const { name, contents } = await download('/api/statement');
  expect(name).toBe('may.csv');
  expect(await contents.text()).toBe('a,b');
  expect(apiAvailable.get()).toBe(true);
});

test('the page of somebody else’s network is not taken for a file', async () => {
  answerFetches(() => new Response('<html>', { headers: { 'content-type': 'text/html' } }));
  await expect(download('/api/statement')).rejects.toMatchObject({ status: 0, code: 'network_error' });
  expect(lastFinding.get()).toMatchObject({ state: 'unavailable', why: 'bad-content' });
});

test('without an answer the connection is lost', async () => {
  answerFetches(() => Promise.reject(new TypeError('Failed to fetch')));
  await expect(download('/api/statement')).rejects.toMatchObject({ code: 'network_error' });
  expect(apiAvailable.get()).toBe(false);
});
