import { expect, test } from 'vitest';
import { servedHosts } from '#contract/served-hosts.ts';
import { createFrontPage } from '#sandbox/front-page.ts';
import { ORIGINS } from '#tests/factories/origins.ts';

const page = createFrontPage({
  origins: {
    ...ORIGINS,
    pay: 'http://pay.ferry.localhost:8080',
    push: 'http://push.ferry.localhost:8080',
    mail: 'http://mail.ferry.localhost:8080',
    sms: null,
  },
  demo: {
    email: 'kari@example.com',
    password: '<pass&word>',
    tripCards: [{ number: '9000 0000 0000 0019', pin: '2468' }],
    staff: { emails: ['gate@example.com'], password: 'a word', authenticatorKey: 'ABCDEFGH' },
  },
  testCards: [{ number: '4242 4242 4242 4242', effect: 'Pays' }],
});

test('the front page links all hosts and stand-ins and lists the test data', async () => {
  const response = await page.fetch(new Request('http://localhost:8080/'));
  const text = await response.text();
  for (const host of [
    ...Object.values(servedHosts).map(({ subdomain }) => subdomain),
    'pay',
    'mail',
    'push',
    'storage',
  ]) {
    expect(text).toContain(`href="http://${host}.ferry.localhost:8080/`);
  }
  expect(text).toContain('4242 4242 4242 4242');
  expect(text).toContain('<code>9000 0000 0000 0019</code></td><td><code>2468</code>');
  expect(text).toContain('&lt;pass&amp;word&gt;');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
});

test('other addresses are not found', async () => {
  expect((await page.fetch(new Request('http://localhost:8080/x'))).status).toBe(404);
  expect((await page.fetch(new Request('http://localhost:8080/', { method: 'POST' }))).status).toBe(405);
});
