import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { createApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { type Browser, openBrowser } from '#tests/factories/browser.ts';
import { createCustomer, PASSWORD, startSession } from '#tests/factories/customers.ts';
import { newAddress, refusalOf } from '#tests/factories/sign-in.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const PROOF = 'my-session-proof';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

async function signedIn(): Promise<{ browser: Browser; token: string; email: string }> {
  const { email } = await createCustomer(server.context, { password: PASSWORD });
  const browser = openBrowser(server, { from: newAddress() });
  const reply = await browser.send('POST', api.signIn.path, { body: { email, password: PASSWORD } });
  return { browser, email, token: reply.body.data.token };
}

test('A browser’s sign-in sets an HttpOnly cookie for both hosts and 365 days', async () => {
  const { email } = await createCustomer(server.context, { password: PASSWORD });
  const browser = openBrowser(server, { from: newAddress() });
  const reply = await browser.send('POST', api.signIn.path, { body: { email, password: PASSWORD } });
  const line = reply.headers.getSetCookie().find((each) => each.startsWith(`${PROOF}=`));
  expect(line).toMatch(
    /^my-session-proof=[\w-]{43}; Domain=ferry\.localhost; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/,
  );
  const rows = await server.database.store.query('select * from sessions');
  expect(JSON.stringify(rows)).not.toContain(browser.cookies.get(PROOF));
});

test('The cookie is Secure where pages are served over HTTPS', async () => {
  const config = { ...readConfig({ PUBLIC_SCHEME: 'https', PUBLIC_PORT: '443' }), dataDir: '' };
  const app = createApp({ ...server.context, config });
  const { email } = await createCustomer(server.context, { password: PASSWORD });
  const response = await app.request(`${config.origins.portal}${api.signIn.path}`, {
    method: 'POST',
    headers: { origin: config.origins.portal, 'content-type': 'application/json' },
    body: JSON.stringify({ email, password: PASSWORD }),
  });
  expect(response.headers.getSetCookie()).toHaveLength(2);
  for (const line of response.headers.getSetCookie()) expect(line).toMatch(/; Secure$/);
});

test('The token is accepted with its cookie and refused without it', async () => {
  const { browser, token } = await signedIn();
  expect((await browser.send('GET', api.getDetails.path, { token })).status).toBe(200);
  const bare = await server.request('GET', api.getDetails.path, { token });
  expect(refusalOf(bare)).toEqual([401, 'session_expired']);
  browser.cookies.delete(PROOF);
  const lost = await browser.send('GET', api.pingSession.path, { token });
  expect(refusalOf(lost)).toEqual([401, 'session_expired']);
});

test.each([
  ['nothing', ''],
  ['a guess', 'A'.repeat(43)],
  ['a quoted value', '"x"'],
])('A cookie that contains %s is refused', async (_, value) => {
  const { browser, token } = await signedIn();
  browser.cookies.set(PROOF, value);
  expect((await browser.send('GET', api.getDetails.path, { token })).status).toBe(401);
});

test('The cookie of another session is refused', async () => {
  const ada = await signedIn();
  const bob = await signedIn();
  ada.browser.cookies.set(PROOF, bob.browser.cookies.get(PROOF) ?? '');
  const reply = await ada.browser.send('GET', api.getDetails.path, { token: ada.token });
  expect(reply.status).toBe(401);
});

test('A second cookie of the same name set by another site does not lock out the owner', async () => {
  const { browser, token } = await signedIn();
  const cookie = `${PROOF}=planted; ${PROOF}=${browser.cookies.get(PROOF)}`;
  const reply = await server.request('GET', api.getDetails.path, { token, headers: { cookie } });
  expect(reply.status).toBe(200);
});

test('A cookie planted before the sign-in is not accepted afterwards', async () => {
  const { email } = await createCustomer(server.context, { password: PASSWORD });
  const browser = openBrowser(server, { from: newAddress() });
  const planted = 'B'.repeat(43);
  browser.cookies.set(PROOF, planted);
  const reply = await browser.send('POST', api.signIn.path, { body: { email, password: PASSWORD } });
  expect(browser.cookies.get(PROOF)).not.toBe(planted);
  const thief = await server.request('GET', api.getDetails.path, {
    token: reply.body.data.token,
    headers: { cookie: `${PROOF}=${planted}` },
  });
  expect(thief.status).toBe(401);
});

test('The cookie alone does not sign in', async () => {
  const { browser } = await signedIn();
  const reply = await browser.send('GET', api.getDetails.path);
  expect(refusalOf(reply)).toEqual([401, 'unauthenticated']);
});

test('A successful ping renews the cookie for a year, and a refused one sets none', async () => {
  const { browser, token } = await signedIn();
  const proof = browser.cookies.get(PROOF);
  const good = await browser.send('GET', api.pingSession.path, { token });
  expect(good.headers.getSetCookie()).toEqual([
    `${PROOF}=${proof}; Domain=ferry.localhost; Path=/; Max-Age=31536000; HttpOnly; SameSite=Lax`,
  ]);
  const bad = await browser.send('GET', api.pingSession.path, { token: `gw_${'A'.repeat(43)}` });
  expect(bad.headers.getSetCookie()).toEqual([]);
  const none = await browser.send('GET', api.pingSession.path);
  expect(none.headers.getSetCookie()).toEqual([]);
});

test('Signing out deletes the cookie', async () => {
  const { browser, token } = await signedIn();
  const reply = await browser.send('DELETE', api.signOut.path, { token });
  expect(reply.status).toBe(200);
  expect(browser.cookies.has(PROOF)).toBe(false);
});

test('Signing out works without the cookie', async () => {
  const { browser, token } = await signedIn();
  const proof = browser.cookies.get(PROOF) ?? '';
  browser.cookies.delete(PROOF);
  await browser.send('DELETE', api.signOut.path, { token });
  browser.cookies.set(PROOF, proof);
  expect((await browser.send('GET', api.getDetails.path, { token })).status).toBe(401);
});

test('A client that is not a browser gets no proof cookie and needs none', async () => {
  const customer = await createCustomer(server.context, { password: PASSWORD });
  const reply = await server.request('POST', api.signIn.path, {
    body: { email: customer.email, password: PASSWORD },
    from: newAddress(),
  });
  expect(reply.headers.getSetCookie().join()).not.toContain(PROOF);
  const details = await server.request('GET', api.getDetails.path, { token: reply.body.data.token });
  expect(details.status).toBe(200);
  const ping = await server.request('GET', api.pingSession.path, {
    token: await startSession(server.context, customer.id),
  });
  expect(ping.headers.getSetCookie()).toEqual([]);
});

test('Responses with cookies have all usual headers and allow no credentials to other origins', async () => {
  const { browser, token } = await signedIn();
  const { headers } = await browser.send('GET', api.pingSession.path, {
    token,
    headers: { origin: server.context.config.origins.tickets },
  });
  expect(headers.get('content-type')).toBe('application/json');
  expect(headers.get('cache-control')).toBe('no-store');
  expect(headers.get('access-control-allow-origin')).toBe(server.context.config.origins.tickets);
  expect(headers.get('access-control-allow-credentials')).toBeNull();
});
