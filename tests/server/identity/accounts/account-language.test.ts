import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import { mails } from '#server/database/schema/system.ts';
import { openDelivery, sendDueMails } from '#server/mail/mail-jobs.ts';
import type { Mailer } from '#server/mail/mailer.ts';
import { termsVersion } from '#tests/factories/buyer.ts';
import { createCustomer, startSession } from '#tests/factories/customers.ts';
import { refusalOf } from '#tests/factories/sign-in.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';
import { NEW_PASSWORD, newMailbox, tokenMailedTo } from './mailed-links.ts';

let server: TestServer;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());

async function signedIn(overrides: Parameters<typeof createCustomer>[1] = {}) {
  const customer = await createCustomer(server.context, overrides);
  const token = await startSession(server.context, customer.id);
  return {
    customer,
    token,
    change: (body: unknown) => server.request('PATCH', api.changeDetails.path, { token, body }),
    readLanguage: async () =>
      (await server.request('GET', api.getDetails.path, { token })).body.data.language,
  };
}

describe('the language of an account', () => {
  test('is chosen by its owner, and stays when other details change', async () => {
    const { change, readLanguage } = await signedIn();
    expect(await readLanguage()).toBeNull();
    expect((await change({ language: 'de' })).body).toMatchObject({ language: 'de', name: 'Ada Byron' });
    await change({ name: 'Ada Lovelace' });
    expect(await readLanguage()).toBe('de');
  });

  test('needs a session', async () => {
    const reply = await server.request('PATCH', api.changeDetails.path, { body: { language: 'de' } });
    expect(refusalOf(reply)).toEqual([401, 'unauthenticated']);
  });

  test.each(['xx', 'de-AT', 'en-XA', '', null, 7])('cannot be %j', async (language) => {
    const { change, readLanguage } = await signedIn({ language: 'fr' });
    expect(refusalOf(await change({ language }))).toEqual([422, 'invalid_input']);
    expect(await readLanguage()).toBe('fr');
  });

  test('is never that of one visitor for the demo account, which all visitors share', async () => {
    const { change, readLanguage } = await signedIn({ isDemo: true });
    expect((await change({ language: 'de' })).body).toMatchObject({ language: null });
    expect(await readLanguage()).toBeNull();
  });

  test.each([
    ['nb-NO,nb;q=0.9', 'nb'],
    ['en-XA', null],
  ])('of a page in %s at the sign-up is %j', async (accepted, language) => {
    const email = newMailbox();
    await server.request('POST', api.register.path, {
      headers: { 'accept-language': accepted },
      body: { name: 'Grace Hopper', email, password: NEW_PASSWORD, terms_version: termsVersion },
    });
    const token = await tokenMailedTo(server, email, 'confirm-account');
    await server.request('POST', fillPath(api.verifyAccount.path, { token }), {
      headers: { 'accept-language': 'fr' },
    });
    const signedUp = await server.request('POST', api.signIn.path, {
      body: { email, password: NEW_PASSWORD },
    });
    const details = await server.request('GET', api.getDetails.path, { token: signedUp.body.data.token });
    expect(details.body.data.language).toBe(language);
  });
});

describe('a mail about an account', () => {
  const askForCode = (email: string, accepted: string) =>
    server.request('POST', api.signIn.path, { headers: { 'accept-language': accepted }, body: { email } });
  const languagesMailedTo = async (email: string) => {
    const { kind, language } = mails;
    const to = eq(mails.toAddress, email);
    const rows = await server.context.db.select({ kind, language }).from(mails).where(to);
    return rows.map((row) => [row.kind, row.language]).toSorted();
  };

  test('is in the language of the account, on any device', async () => {
    const { customer, change } = await signedIn({ language: 'de' });
    await askForCode(customer.email, 'en');
    await change({ phone: '+12065550100' });
    expect(await languagesMailedTo(customer.email)).toEqual([
      ['security-event', 'de'],
      ['sign-in-code', 'de'],
    ]);
    const sent: Parameters<Mailer['send']>[0][] = [];
    const mailer: Mailer = {
      send: async (mail) => void sent.push(mail),
      verify: async () => {},
      close: () => {},
    };
    await sendDueMails(server.context, openDelivery(server.context, mailer));
    const toCustomer = sent.filter(({ to }) => to === customer.email);
    expect(toCustomer.map(({ subject }) => subject).toSorted()).toEqual([
      expect.stringMatching(/^\d{6} ist Ihr Anmeldecode$/),
      'Ihre Telefonnummer wurde geändert',
    ]);
    expect(toCustomer[0]?.html).toContain('<html lang="de">');
  });

  test('is in the language of the page if the account has none, or there is no account', async () => {
    const { customer } = await signedIn();
    const stranger = newMailbox();
    await askForCode(customer.email, 'fr');
    await askForCode(stranger, 'nb');
    expect(await languagesMailedTo(customer.email)).toEqual([['sign-in-code', 'fr']]);
    expect(await languagesMailedTo(stranger)).toEqual([['no-account', 'nb']]);
  });

  test('is in the language of its owner also at an address that is not theirs yet, or no longer', async () => {
    const { customer, token } = await signedIn({ language: 'fr' });
    const next = newMailbox();
    await server.request('POST', api.changeEmail.path, { token, body: { new_email: next } });
    expect(await languagesMailedTo(next)).toEqual([['confirm-email-change', 'fr']]);
    const link = await tokenMailedTo(server, next, 'confirm-email-change');
    await server.request('POST', api.verifyEmailChange.path, { body: { token: link } });
    expect(await languagesMailedTo(customer.email)).toContainEqual(['email-changed', 'fr']);
  });

  test('is in the language of the account that it says is deleted', async () => {
    const { customer, token } = await signedIn({ language: 'nb' });
    await server.request('DELETE', api.deleteCustomer.path, { token });
    expect(await languagesMailedTo(customer.email)).toEqual([['account-deleted', 'nb']]);
  });
});
