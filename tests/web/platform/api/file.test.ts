import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { getStatement } from '#contract/trip-cards/endpoints.ts';
import { download } from '#web/platform/api/file.ts';
import { apiAvailable, lastFinding } from '#web/platform/connection/connection.ts';
import { readToken, startSession } from '#web/platform/session/session.ts';
import { answerFetches, json, openPage, TOKEN } from '../page.ts';

beforeEach(() => {
  openPage();
});
afterEach(() => {
  openPage();
  vi.unstubAllGlobals();
});

test('a downloaded file has the name that the server sends', async () => {
  const headers = { 'content-type': 'text/csv', 'content-disposition': 'attachment; filename="may.csv"' };
  answerFetches(() => new Response('a,b', { headers }));
  const { name, contents } = await download(getStatement, { params: { id: 'trc_1' }, query: {} });
  expect(name).toBe('may.csv');
  expect(await contents.text()).toBe('a,b');
  expect(apiAvailable.get()).toBe(true);
});

test('the page of a captive portal is rejected as a network error', async () => {
  answerFetches(() => new Response('<html>', { headers: { 'content-type': 'text/html' } }));
  await expect(download(getStatement, { params: { id: 'trc_1' }, query: {} })).rejects.toMatchObject({
    status: 0,
    code: 'network_error',
  });
  expect(lastFinding.get()).toMatchObject({ state: 'unavailable', why: 'bad-content' });
});

test('a download rejected with 401 ends the session', async () => {
  startSession(TOKEN);
  answerFetches(() => json({}, 401));
  await expect(download(getStatement, { params: { id: 'trc_1' }, query: {} })).rejects.toMatchObject({
    status: 401,
  });
  expect(readToken()).toBeNull();
});

test('a download without a response marks the API as unavailable', async () => {
  answerFetches(() => Promise.reject(new TypeError('Failed to fetch')));
  await expect(download(getStatement, { params: { id: 'trc_1' }, query: {} })).rejects.toMatchObject({
    code: 'network_error',
  });
  expect(apiAvailable.get()).toBe(false);
});
