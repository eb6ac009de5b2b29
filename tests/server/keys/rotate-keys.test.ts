import { afterAll, beforeAll, expect, test } from 'vitest';
import { rotateKeysCommand } from '#server/commands/rotate-keys.ts';
import { checkTicket, readKeys } from '#server/commands/verify-ticket.ts';
import { addVersion } from '#server/core/vault.ts';
import { authenticators } from '#server/database/schema/people.ts';
import {
  consumeRecoveryCode,
  createRecoveryCodes,
  storeRecoveryCodes,
} from '#server/identity/security/recovery-codes.ts';
import { queueAccountMail } from '#server/mail/account-mails.ts';
import { createTicketSigner } from '#server/orders/tickets/keys.ts';
import { registerTicketJobs } from '#server/orders/tickets/reissue-tickets.ts';
import { loadSecrets, openVault } from '#server/secrets.ts';
import { addCard, hashPin } from '#server/trip-cards/add-card.ts';
import { must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { changesOf } from '#tests/factories/changes.ts';
import { createCustomer } from '#tests/factories/customers.ts';
import { createTripCard } from '#tests/factories/trip-cards.ts';
import { runCommandLine } from '#tests/setup/command-line.ts';
import { TEST_SECRET } from '#tests/setup/server.ts';

const NEXT = 'the secret that replaces that of the tests';
let office: Office;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());

/** The server after a start with these secrets. */
async function startWith(appSecret: string, ...previousSecrets: string[]) {
  const config = { ...office.context.config, appSecret, previousSecrets };
  return { ...office.context, config, vault: await openVault(office.context.db, config) };
}

test('a replaced secret loses nothing, and is no longer needed', async () => {
  const { db } = office.context;
  await loadSecrets(db, { appSecret: TEST_SECRET, previousSecrets: [] });
  const { id: customerId } = await createCustomer(office.context);
  const authenticator = { customerId, encryptedSecret: office.context.vault.encrypt('secret') };
  await db.insert(authenticators).values({ ...authenticator, insertedAt: office.clock.now() });
  await queueAccountMail(db, office.context, { to: 'a@b.example', kind: 'account-deleted', data: {} });
  await office.takeOrder();
  const made = createRecoveryCodes(office.context, customerId);
  await storeRecoveryCodes(db, customerId, made);
  const cards = await Promise.all(
    ['4711', '4712'].map(async (pin, index) => {
      const { id, number } = await createTripCard(office.context, null);
      const maker = index === 0 ? office.context : await startWith(NEXT, TEST_SECRET);
      const pinHash = await hashPin(maker, { number, pin });
      await office.database.store.query('update trip_cards set pin_hash = $1 where id = $2', [pinHash, id]);
      return { number, pin };
    }),
  );

  const between = await startWith(NEXT, TEST_SECRET);
  const { stdout } = await runCommandLine({ context: between }, rotateKeysCommand, 'secret');
  expect(stdout).toMatch(
    /^[4-9] values are encrypted with the current secret now\.\nUnset APP_SECRET_PREVIOUS/,
  );

  const after = await startWith(NEXT);
  const stored = await office.database.store.query<{ value: string }>(
    `select encrypted_secret as value from authenticators union all select encrypted_private_key from ticket_keys
     union all select encrypted_data from mails where encrypted_data is not null
     union all select encrypted_body from idempotency_keys where encrypted_body is not null`,
  );
  expect(stored.length).toBeGreaterThan(3);
  for (const { value } of stored) {
    expect(value).toContain(addVersion(after.vault.version, ''));
    expect(() => after.vault.decrypt(value)).not.toThrow();
  }
  const [code = ''] = made.codes.map((each) => each.replaceAll('-', ''));
  expect(await consumeRecoveryCode(after, { customerId, code, device: 'Firefox' })).toBe(true);
  for (const card of cards) {
    const caller = { key: customerId, account: customerId, network: null };
    expect(await addCard(after, { ...card, customerId, claim: card.pin, caller })).toMatchObject({
      customerId,
    });
  }
  const again = await runCommandLine({ context: after }, rotateKeysCommand, 'secret');
  expect(again.stdout).toMatch(/^0 values/);
});

test('a revoked key is gone for gates at once, and its tickets get new codes and a mail', async () => {
  const earlier = await changesOf(office).buy({ adults: 2 });
  const { ticketSigner } = office.context;
  const keys = async () => readKeys(must(await office.request('GET', '/api/keys')));
  const verdicts = async ({ tickets }: { tickets: { barcode: { payload: string } }[] }) => {
    const known = await keys();
    return tickets.map(({ barcode }) => checkTicket(barcode.payload, known, office.clock.now()).isValid);
  };
  const rotated = await runCommandLine(office, rotateKeysCommand, 'tickets');
  expect(rotated.stdout).toContain('signed with k2');
  expect(await verdicts(earlier)).toEqual([true, true]);

  const { stdout } = await runCommandLine(office, rotateKeysCommand, 'tickets', '--revoke', 'k1');
  expect(stdout).toContain('tickets of 1 orders were signed again');
  expect([...(await keys()).keys()]).toEqual(['k2']);
  expect(await verdicts(earlier)).toEqual([false, false]);
  const renewed = await office.readOrder(earlier.id);
  expect(await verdicts(renewed)).toEqual([true, true]);
  expect(renewed.tickets).toMatchObject([{ version: 2 }, { version: 2 }]);
  expect(renewed.tickets[0].boarding_code).toBe(earlier.tickets[0].boarding_code);
  expect(await office.count('mails:order-tickets-reissued')).toBe(1);

  // A process that has not noticed yet signs with the revoked key; the job makes up for it.
  expect(ticketSigner.keyId).toBe('k1');
  const late = await changesOf(office).buy();
  Object.assign(ticketSigner, await createTicketSigner(office.context));
  await registerTicketJobs(office.context);
  await office.jobs.send('reissue-tickets', {});
  await office.jobs.runJobs();
  expect(await verdicts(await office.readOrder(late.id))).toEqual([true]);
  expect(await office.count('mails:order-tickets-reissued')).toBe(2);

  const unknown = await runCommandLine(office, rotateKeysCommand, 'tickets', '--revoke', 'k9');
  expect(unknown).toMatchObject({ stderr: 'There is no key k9.\n', exitCode: 1 });
});
