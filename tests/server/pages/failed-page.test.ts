import { expect, test } from 'vitest';
import { createLog } from '#server/core/log.ts';
import { answerFailedPage } from '#server/pages/failed-page.ts';

test('a page that fails names the code of its line in the log, and no details', async () => {
  const lines: string[] = [];
  const log = createLog((line) => lines.push(line));
  const request = new Request('https://my.ferry.example/orders');
  const answer = answerFailedPage({ log }, request, {
    error: new Error('relation "secret" does not exist'),
    language: 'en',
  });
  const { request_id, event } = JSON.parse(lines[0] ?? '');
  const html = await answer.text();
  expect([answer.status, answer.headers.get('x-request-id'), event]).toEqual([
    500,
    request_id,
    'page failed',
  ]);
  expect(/this code:\s+(\w{8})</.exec(html)?.[1]).toBe(request_id.slice(0, 8));
  expect(html).not.toContain('secret');
  expect(answer.headers.get('cache-control')).toBe('no-store');
});
