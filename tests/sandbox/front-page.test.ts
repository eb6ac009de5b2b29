import { expect, test } from 'vitest';
import { createFrontPage } from '#sandbox/front-page.ts';

const page = createFrontPage({
  origins: {
    tickets: 'http://tickets.ferry.localhost:8080',
    portal: 'http://my.ferry.localhost:8080',
    pay: 'http://pay.ferry.localhost:8080',
    mail: 'http://mail.ferry.localhost:8080',
    storage: 'http://storage.ferry.localhost:8080',
  },
  demo: {
    email: 'kari@example.com',
    password: '<pass&word>',
    tripCards: [{ number: '9000 0000 0000 0019', pin: '2468' }],
  },
  testCards: [{ number: '4242 4242 4242 4242', effect: 'Pays' }],
});

test('the front page links the five hosts and lists the test data', async () => {
  const response = await page.fetch(new Request('http://localhost:8080/'));
  const text = await response.text();
  for (const host of ['tickets', 'my', 'pay', 'mail', 'storage']) {
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
