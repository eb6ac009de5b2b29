import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { customers } from '#server/database/schema/people.ts';
import { mailsTo } from '#tests/factories/account-mails.ts';
import { createCustomer, PASSWORD } from '#tests/factories/customers.ts';
import { askForCode, newAddress, refusalOf } from '#tests/factories/sign-in.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

function signIn(email: string, password: string) {
  return server.request('POST', api.signIn.path, { body: { email, password }, from: newAddress() });
}

async function failuresOf(id: string): Promise<number | undefined> {
  const [row] = await server.context.db.select().from(customers).where(eq(customers.id, id));
  return row?.passwordFailures;
}

test('After a hundred wrong passwords in a row the correct one is answered like a wrong one', async () => {
  const customer = await createCustomer(server.context, { password: PASSWORD, passwordFailures: 99 });
  const wrong = await signIn(customer.email, 'wrong');
  const right = await signIn(customer.email, PASSWORD);
  expect(refusalOf(right)).toEqual([422, 'invalid_credentials']);
  expect(right.body).toEqual(wrong.body);
});

test('The owner is notified once, regardless of further wrong passwords', async () => {
  const customer = await createCustomer(server.context, { password: PASSWORD, passwordFailures: 98 });
  await Promise.all(Array.from({ length: 6 }, () => signIn(customer.email, 'wrong')));
  await signIn(customer.email, 'wrong');
  const mails = await mailsTo(server.context, customer.email);
  expect(mails.map(({ data }) => data.event)).toEqual(['password_switched_off']);
  expect(await failuresOf(customer.id)).toBe(100);
});

test('The right password resets the count before the limit', async () => {
  const customer = await createCustomer(server.context, { password: PASSWORD, passwordFailures: 99 });
  expect((await signIn(customer.email, PASSWORD)).status).toBe(200);
  expect(await failuresOf(customer.id)).toBe(0);
  await signIn(customer.email, 'wrong');
  expect(await failuresOf(customer.id)).toBe(1);
});

test('A customer with a locked password can sign in with a mailed code', async () => {
  const customer = await createCustomer(server.context, { password: PASSWORD, passwordFailures: 100 });
  expect(await askForCode(server, customer.email)).toMatch(/^[\w-]{43}$/);
});

test('Guesses at an account without a password are not counted', async () => {
  const customer = await createCustomer(server.context, { passwordFailures: 99 });
  await signIn(customer.email, 'wrong');
  expect(await failuresOf(customer.id)).toBe(99);
  expect(await mailsTo(server.context, customer.email)).toEqual([]);
});
