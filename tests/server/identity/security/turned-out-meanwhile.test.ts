import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { Context } from '#server/context.ts';
import { customers, sessions } from '#server/database/schema/people.ts';
import { changeCustomer } from '#server/identity/accounts/change-customer.ts';
import { resendChangeEmail } from '#server/identity/accounts/change-email.ts';
import type { OwnerOnDevice } from '#server/identity/customers.ts';
import { beginAuthenticator, removeAuthenticator } from '#server/identity/security/authenticator.ts';
import { removePasskey } from '#server/identity/security/passkeys.ts';
import { renewRecoveryCodes } from '#server/identity/security/recovery-codes.ts';
import { endOneSession, endOtherSessions } from '#server/identity/security/sessions-list.ts';
import { endSessions, expireFreshness } from '#server/identity/sessions.ts';
import { deleteCustomer } from '#server/privacy/delete-customer.ts';
import { exportCustomer } from '#server/privacy/export-customer.ts';
import { mailsTo } from '#tests/factories/account-mails.ts';
import { createCustomer, PASSWORD, startSession } from '#tests/factories/customers.ts';
import { addLockedCall, LOCKED_PATH } from '#tests/factories/locked-call.ts';
import { refusalOf } from '#tests/factories/sign-in.ts';
import { openTestServer, type TestReply, type TestServer } from '#tests/setup/server.ts';
import { askForReset, NEW_PASSWORD, newMailbox, signIn, tokenMailedTo } from '../accounts/mailed-links.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
  addLockedCall(server);
});
afterAll(() => server.close());

const THIEFS_PASSWORD = 'gravel orbit mandolin teapot';

async function stored(id: string) {
  const [row] = await server.context.db.select().from(customers).where(eq(customers.id, id));
  return row;
}

/** A request whose body arrives when the test requests it, after its session was found valid. */
async function beginSlowly(method: string, path: string, { token, body }: { token: string; body: unknown }) {
  const isRead = Promise.withResolvers<void>();
  const mayGoOn = Promise.withResolvers<void>();
  const stream = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        isRead.resolve();
        await mayGoOn.promise;
        controller.enqueue(new TextEncoder().encode(JSON.stringify(body)));
        controller.close();
      },
    },
    { highWaterMark: 0 },
  );
  const { tickets } = server.context.config.origins;
  const answered = server.app.fetch(
    new Request(`${tickets}${path}`, {
      method,
      headers: {
        host: new URL(tickets).host,
        'content-type': 'application/json',
        authorization: `Bearer ${token}`,
      },
      body: stream,
      duplex: 'half',
    } as RequestInit),
    { incoming: { socket: { remoteAddress: '203.0.113.7' } } },
  );
  await isRead.promise;
  return async (): Promise<Pick<TestReply, 'status' | 'body'>> => {
    mayGoOn.resolve();
    const response = await answered;
    return { status: response.status, body: await response.json() };
  };
}

test('A request that began before the owner’s reset cannot set the password afterwards', async () => {
  const customer = await createCustomer(server.context, { email: newMailbox(), password: PASSWORD });
  const token = await startSession(server.context, customer.id);
  const body = { password: THIEFS_PASSWORD };
  const goOn = await beginSlowly('POST', api.changePassword.path, { token, body });
  await askForReset(server, customer.email);
  const link = await tokenMailedTo(server, customer.email, 'reset-password');
  const reset = { token: link, password: NEW_PASSWORD };
  expect((await server.request('POST', api.resetPassword.path, { body: reset })).status).toBe(200);

  expect(refusalOf((await goOn()) as TestReply)).toEqual([401, 'session_expired']);
  expect((await signIn(server, customer.email, NEW_PASSWORD)).status).toBe(200);
  expect((await signIn(server, customer.email, THIEFS_PASSWORD)).status).toBe(422);
});

test.each([
  ['POST', api.changeEmail.path, { new_email: 'thief@example.net' }],
  ['PATCH', api.changeDetails.path, { phone: '+12065550199' }],
  ['PATCH', api.changeDetails.path, { mfa_required: false }],
])('%s %s that was in progress when all sessions ended changes nothing', async (method, path, body) => {
  const customer = await createCustomer(server.context, { mfaRequired: true });
  const token = await startSession(server.context, customer.id);
  const before = await stored(customer.id);
  const goOn = await beginSlowly(method, path, { token, body });
  await endSessions(server.context.db, server.context, { customerId: customer.id });

  expect(refusalOf((await goOn()) as TestReply)).toEqual([401, 'session_expired']);
  expect(await stored(customer.id)).toEqual(before);
  expect(await mailsTo(server.context, customer.email)).toEqual([]);
});

test('A step-up is refused if the session ends or the step-up expires while the body arrives', async () => {
  const customer = await createCustomer(server.context, { password: PASSWORD });
  const begin = async () => {
    const token = await startSession(server.context, customer.id);
    return beginSlowly('POST', LOCKED_PATH, { token, body: {} });
  };
  const untouched = await begin();
  expect((await untouched()).status).toBe(200);
  const ended = await begin();
  await endSessions(server.context.db, server.context, { customerId: customer.id });
  expect(refusalOf((await ended()) as TestReply)).toEqual([401, 'session_expired']);
  const outdone = await begin();
  await expireFreshness(server.context.db, { customerId: customer.id, sessionId: 'ses_0' });
  expect(refusalOf((await outdone()) as TestReply)).toEqual([403, 'step_up_required']);
});

const acts: [string, (context: Context, owner: OwnerOnDevice) => Promise<unknown>][] = [
  ['Deleting the account', deleteCustomer],
  ['Copying everything', exportCustomer],
  ['Having the link to a new address sent again', resendChangeEmail],
  [
    'Changing the name',
    (context, owner) =>
      changeCustomer(context, {
        ...owner,
        change: { name: 'Mallory' },
        requireStepUp: async () => {},
      }),
  ],
  ['Beginning with an authenticator', beginAuthenticator],
  ['Removing the authenticator', removeAuthenticator],
  ['Making recovery codes', renewRecoveryCodes],
  ['Removing a passkey', (context, owner) => removePasskey(context, { ...owner, id: 'pky_0' })],
  ['Ending another session', (context, owner) => endOneSession(context, { ...owner, id: 'ses_0' })],
  ['Ending all other sessions', endOtherSessions],
];

test.each(acts)('%s needs a session that is valid when it takes effect', async (_name, act) => {
  const customer = await createCustomer(server.context, { pendingEmail: newMailbox() });
  await startSession(server.context, customer.id);
  const [session] = await server.context.db
    .select()
    .from(sessions)
    .where(eq(sessions.customerId, customer.id));
  await endSessions(server.context.db, server.context, { customerId: customer.id });
  const owner = { customerId: customer.id, sessionId: session?.id ?? '', device: 'Unknown device' };

  await expect(act(server.context, owner)).rejects.toMatchObject({ code: 'session_expired' });
  expect(await stored(customer.id)).toEqual(customer);
  expect(await mailsTo(server.context, customer.email)).toEqual([]);
});
