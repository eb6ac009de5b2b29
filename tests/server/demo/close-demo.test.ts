import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { parseTripCardNumber } from '#domain/trip-cards/trip-card-number.ts';
import { closeDemo } from '#server/demo/close-demo.ts';
import { type Demo, loadDemo } from '#server/demo/demo.ts';
import { lastCode } from '#tests/factories/account-mails.ts';
import { codeOf, must } from '#tests/factories/buyer.ts';
import { createCustomer, startSession } from '#tests/factories/customers.ts';
import { addPasskey } from '#tests/factories/passkey.ts';
import { addAuthenticator, addRecoveryCodes, askForSecondStep } from '#tests/factories/second-step.ts';
import { askForCode, isAlive } from '#tests/factories/sign-in.ts';
import { cardHolder, findBrokenBooks } from '#tests/factories/trip-cards.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
let demo: Demo;
beforeAll(async () => {
  server = await openTestServer();
  const loaded = await loadDemo(server.context);
  if (!loaded) throw new Error('There is no demo.');
  demo = loaded;
});
afterAll(() => server.close());
beforeEach(() => {
  Object.assign(server.context.provider, { isTest: true });
});

const demoCustomer = async () =>
  (await server.database.store.query<{ id: string }>('select id from customers where is_demo'))[0]?.id ?? '';
const signIn = ({ email, password }: Demo) =>
  server.request('POST', api.signIn.path, { body: { email, password } });

test('a start with live keys ends the demo’s sessions and names the command that removes its data', async () => {
  const { token } = must(await signIn(demo));
  const other = await createCustomer(server.context);
  const otherToken = await startSession(server.context, other.id);
  Object.assign(server.context.provider, { isTest: false });
  await closeDemo(server.context);
  expect([await isAlive(server, token), await isAlive(server, otherToken)]).toEqual([false, true]);
  expect(server.logged).toContainEqual(
    expect.objectContaining({ level: 'warn', command: 'npm run demo:remove', customers: 1 }),
  );
});

test('The closed demo’s customer cannot sign in by password, mail, link or passkey', async () => {
  const passkey = await addPasskey(server.context, await demoCustomer());
  Object.assign(server.context.provider, { isTest: false });
  const send = (path: string, body: unknown) => server.request('POST', path, { body });
  expect(codeOf(await signIn(demo))).toBe('demo_closed');
  const temp = await askForCode(server, demo.email);
  const { code, token } = await lastCode(server.context, demo.email);
  expect(codeOf(await send(api.signInWithEmailCode.path, { temp, code }))).toBe('demo_closed');
  expect(codeOf(await send(api.signInWithLink.path, { token }))).toBe('demo_closed');
  const { temp: asked, options } = must(await server.request('GET', api.getPasskeyChallenge.path));
  const response = passkey.assert(options);
  expect(codeOf(await send(api.signInWithPasskey.path, { temp: asked, response }))).toBe('demo_closed');
});

test('An authenticator or recovery code does not open the closed demo account', async () => {
  const id = await demoCustomer();
  const codeAt = await addAuthenticator(server.context, id);
  const [recoveryCode = ''] = await addRecoveryCodes(server.context, id);
  await askForSecondStep(server.context, id);
  const started = [must(await signIn(demo)).temp, must(await signIn(demo)).temp];
  Object.assign(server.context.provider, { isTest: false });
  for (const [index, code] of [codeAt(), recoveryCode].entries()) {
    const body = { temp: started[index], code };
    expect(codeOf(await server.request('POST', api.verifySecondStep.path, { body }))).toBe('demo_closed');
  }
});

test('The closed demo’s trip cards are frozen and without an account, and the ledger is complete', async () => {
  const holder = await cardHolder(server);
  const [plastic] = demo.tripCards;
  const input = { number: parseTripCardNumber(plastic?.number ?? ''), pin: plastic?.pin };
  // Added to an account while payments were simulated.
  await server.database.store.query(
    `update trip_cards set status = 'active', customer_id = $1 where number = $2`,
    [holder.customer.id, input.number ?? ''],
  );
  await server.database.store.query('delete from trip_card_blocks');
  Object.assign(server.context.provider, { isTest: false });
  await closeDemo(server.context);
  await closeDemo(server.context);
  expect(must(await holder.call('GET', ''))).toEqual([]);
  expect(codeOf(await holder.call('POST', '', input))).toBe('trip_card_refused');
  expect(
    await server.database.store.query(
      "select id from trip_cards where status = 'active' or customer_id is not null",
    ),
  ).toEqual([]);
  expect(await findBrokenBooks(server.context)).toEqual([]);
});

test('An installation without demo data logs nothing about it', async () => {
  const other = await openTestServer();
  try {
    Object.assign(other.context.provider, { isTest: false });
    await closeDemo(other.context);
    expect(other.logged).toEqual([]);
  } finally {
    await other.close();
  }
});
