import { expect, test } from 'vitest';
import { handleReset } from '#server/pages/reset-page.ts';

const ORIGIN = 'https://my.ferry.example';

function ask(method: string, headers: Record<string, string> = {}): Response {
  return handleReset(new Request(`${ORIGIN}/__reset`, { method, headers }), {
    origin: ORIGIN,
    language: 'en',
  });
}

test('Opening the page deletes nothing and explains its button', async () => {
  const answer = ask('GET');
  expect(answer.headers.has('clear-site-data')).toBe(false);
  expect(await answer.text()).toContain('<form method="post" action="/__reset">');
  expect(ask('HEAD').status).toBe(200);
});

test('The button clears the browser’s data except cookies and the HTTP cache', () => {
  const answer = ask('POST', { origin: ORIGIN });
  expect(answer.status).toBe(200);
  expect(answer.headers.get('clear-site-data')).toBe('"storage"');
});

test.each([
  ['another site', { origin: 'https://elsewhere.example' }],
  ['the other host', { origin: 'https://tickets.ferry.example' }],
  ['who says nothing', {}],
  ['a page that hides where it is', { origin: 'null' }],
])('%s cannot press it', (_, headers) => {
  const answer = ask('POST', headers);
  expect(answer.status).toBe(403);
  expect(answer.headers.has('clear-site-data')).toBe(false);
});

test('The page cannot be framed or cached, and needs no script', () => {
  for (const answer of [ask('GET'), ask('POST', { origin: ORIGIN })]) {
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('x-frame-options')).toBe('DENY');
    expect(answer.headers.get('content-security-policy')).toMatch(
      /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self'/,
    );
  }
  expect(ask('DELETE').status).toBe(405);
});
