import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import { customers } from '#server/database/schema/people.ts';
import { mailsTo } from '#tests/factories/account-mails.ts';
import { type Browser, openBrowser } from '#tests/factories/browser.ts';
import { createCustomer, PASSWORD } from '#tests/factories/customers.ts';
import { newAddress, refusalOf } from '#tests/factories/sign-in.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const DEVICE = 'my-known-device';
const DAY = 86_400_000;

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

function signIn(browser: Browser, email: string, password = PASSWORD, from = newAddress()) {
  return browser.send('POST', api.signIn.path, { body: { email, password }, from });
}

async function countEvents(customerId: string): Promise<number> {
  const [row] = await server.database.store.query<{ count: number }>(
    `select count(*)::int as count from security_events
     where customer_id = $1 and kind = 'signed_in_on_new_device'`,
    [customerId],
  );
  return row?.count ?? 0;
}

test('A sign-in on a new device is recorded and mailed, and one on a known device is not', async () => {
  const customer = await createCustomer(server.context, { password: PASSWORD });
  const browser = openBrowser(server, { agent: 'Mozilla/5.0 (Windows NT 10.0) Firefox/150.0' });
  await signIn(browser, customer.email);
  await signIn(browser, customer.email);
  expect(await countEvents(customer.id)).toBe(1);
  const [mail, ...more] = await mailsTo(server.context, customer.email);
  expect(more).toEqual([]);
  expect(mail?.kind).toBe('security-event');
  expect(mail?.data).toMatchObject({ event: 'signed_in_on_new_device', device: 'Firefox on Windows' });
  await signIn(openBrowser(server), customer.email);
  expect(await countEvents(customer.id)).toBe(2);
});

test('A browser stays known after signing out', async () => {
  const customer = await createCustomer(server.context, { password: PASSWORD });
  const browser = openBrowser(server);
  const { body } = await signIn(browser, customer.email);
  await browser.send('DELETE', api.signOut.path, { token: body.data.token });
  await signIn(browser, customer.email);
  expect(await countEvents(customer.id)).toBe(1);
});

test('Wrong passwords by others in the same network do not lock out the owner’s known browser', async () => {
  const { email } = await createCustomer(server.context, { password: PASSWORD });
  const from = newAddress();
  const own = openBrowser(server);
  await signIn(own, email, PASSWORD, from);
  const stranger = openBrowser(server);
  for (let index = 0; index < 6; index += 1) await signIn(stranger, email, 'wrong', from);
  expect(refusalOf(await signIn(stranger, email, PASSWORD, from))).toEqual([429, 'rate_limited']);
  expect((await signIn(own, email, PASSWORD, from)).status).toBe(200);
});

test('A known browser has five separate attempts', async () => {
  const { email } = await createCustomer(server.context, { password: PASSWORD });
  const own = openBrowser(server);
  await signIn(own, email);
  const statuses: number[] = [];
  for (let index = 0; index < 6; index += 1) statuses.push((await signIn(own, email, 'wrong')).status);
  expect(statuses).toEqual([422, 422, 422, 422, 422, 429]);
});

test('Others cannot use up the codes that a known browser may request', async () => {
  const { email } = await createCustomer(server.context, { password: PASSWORD });
  const own = openBrowser(server);
  await signIn(own, email);
  const ask = (browser: Browser) =>
    browser.send('POST', api.signIn.path, { body: { email }, from: newAddress() });
  for (let index = 0; index < 5; index += 1) await ask(openBrowser(server));
  expect((await ask(openBrowser(server))).status).toBe(429);
  expect((await ask(own)).status).toBe(200);
});

test('A device cookie is valid only for its account', async () => {
  const ada = await createCustomer(server.context, { password: PASSWORD });
  const bob = await createCustomer(server.context, { password: PASSWORD });
  const browser = openBrowser(server);
  await signIn(browser, ada.email);
  await signIn(browser, bob.email);
  expect(await countEvents(bob.id)).toBe(1);
  await signIn(browser, ada.email);
  expect(await countEvents(ada.id)).toBe(1);
});

test('A browser is remembered for the last three customers', async () => {
  const browser = openBrowser(server);
  const all = [];
  for (let index = 0; index < 4; index += 1) {
    all.push(await createCustomer(server.context, { password: PASSWORD }));
  }
  for (const { email } of all) await signIn(browser, email);
  expect(browser.cookies.get(DEVICE)?.split('~')).toHaveLength(3);
  for (const { email } of all.toReversed()) await signIn(browser, email);
  expect(await Promise.all(all.map(({ id }) => countEvents(id)))).toEqual([2, 1, 1, 1]);
});

test('The cookie does not identify the customer and lasts a year', async () => {
  const customer = await createCustomer(server.context, { password: PASSWORD });
  const browser = openBrowser(server);
  const reply = await signIn(browser, customer.email);
  const line = reply.headers.getSetCookie().find((each) => each.startsWith(DEVICE)) ?? '';
  expect(line).toMatch(/; Domain=ferry\.localhost; Path=\/; Max-Age=31536000; HttpOnly; SameSite=Lax$/);
  expect(line).not.toContain(customer.id);
  server.clock.advance(366 * DAY);
  await signIn(browser, customer.email);
  expect(await countEvents(customer.id)).toBe(2);
});

test.each([
  ['nonsense', () => 'x'],
  ['nothing', () => ''],
  ['another signature', (mark: string) => `${mark.slice(0, -43)}${'A'.repeat(43)}`],
  ['another date', (mark: string) => mark.replace(/\.[^.]+\./, '.zzzzzz.')],
  ['a thousand marks', (mark: string) => `${'y~'.repeat(1000)}${mark}`],
])('A device cookie that contains %s is refused', async (_, forge) => {
  const customer = await createCustomer(server.context, { password: PASSWORD });
  const browser = openBrowser(server);
  await signIn(browser, customer.email);
  browser.cookies.set(DEVICE, forge(browser.cookies.get(DEVICE) ?? ''));
  expect((await signIn(browser, customer.email)).status).toBe(200);
  expect(await countEvents(customer.id)).toBe(2);
});

test('Changing the password invalidates remembered devices', async () => {
  const customer = await createCustomer(server.context, { password: PASSWORD });
  const browser = openBrowser(server);
  await signIn(browser, customer.email);
  server.clock.advance(1000);
  await server.context.db
    .update(customers)
    .set({ passwordChangedAt: server.clock.now() })
    .where(eq(customers.id, customer.id));
  await signIn(browser, customer.email);
  await signIn(browser, customer.email);
  expect(await countEvents(customer.id)).toBe(2);
});

test('A browser whose session was ended from elsewhere is a new device at its next sign-in', async () => {
  for (const end of ['one', 'all']) {
    const customer = await createCustomer(server.context, { password: PASSWORD });
    const own = openBrowser(server);
    const lent = openBrowser(server);
    const { token } = (await signIn(own, customer.email)).body.data;
    const taken = (await signIn(lent, customer.email)).body.data.token;
    expect(await countEvents(customer.id)).toBe(2);
    server.clock.advance(60_000);
    const [{ id }] = (await lent.send('GET', api.listSessions.path, { token: taken })).body.data.filter(
      ({ current }: { current: boolean }) => current,
    );
    const path = end === 'all' ? api.listSessions.path : fillPath(api.endSession.path, { id });
    expect((await own.send('DELETE', path, { token })).status).toBe(200);

    await signIn(lent, customer.email);
    expect(await countEvents(customer.id)).toBe(3);
    await signIn(own, customer.email);
    expect(await countEvents(customer.id)).toBe(3);
  }
});

test('An unknown browser does not become known by ending the other sessions', async () => {
  const customer = await createCustomer(server.context, { password: PASSWORD });
  const browser = openBrowser(server);
  const { token } = (await signIn(browser, customer.email)).body.data;
  browser.cookies.delete(DEVICE);
  await browser.send('DELETE', api.listSessions.path, { token });
  expect(browser.cookies.has(DEVICE)).toBe(false);
});
