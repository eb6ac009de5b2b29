import { beforeEach, expect, test } from 'vitest';
import { TICKETS } from '../page.ts';
import { openDocument, resetDocuments } from './open-document.ts';

const HOME = `${TICKETS}/`;

beforeEach(resetDocuments);

test.each([null, '', 'not a number', '-1'])('no session is recorded with the site id %s', async (siteId) => {
  const page = openDocument(HOME, { recorder_site_id: siteId });
  await page.start();
  expect(Reflect.get(window, 'hj')).toBeUndefined();
  expect(page.scripts).toEqual([]);
});

test('no session is recorded if the browser sends Global Privacy Control', async () => {
  const page = openDocument(HOME, { recorder_site_id: '4711' }, true);
  await page.start();
  expect(page.scripts).toEqual([]);
});

test('a session is recorded once, with a generated id, the fixed site id and version 6 of the script', async () => {
  const page = openDocument(HOME, { recorder_site_id: '4711' });
  await page.start();
  await page.start();
  expect(Reflect.get(window, '_hjSettings')).toEqual({ hjid: 4711, hjsv: 6 });
  expect(page.scripts).toEqual(['https://static.hotjar.com/c/hotjar-4711.js?sv=6']);
  const recorder = Reflect.get(window, 'hj') as { q: unknown[][] };
  expect(recorder.q).toEqual([['identify', expect.stringMatching(/^[0-9a-f-]{36}$/), {}]]);
});

test('a recording masks every text and field of the page', async () => {
  const page = openDocument(HOME, { recorder_site_id: '4711' });
  await page.start();
  expect(document.body.hasAttribute('data-hj-suppress')).toBe(true);
});
