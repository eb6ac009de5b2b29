import { and, asc, eq } from 'drizzle-orm';
import { listHostsOf } from '#contract/hosts.ts';
import { type Passkey, PasskeySchema } from '#contract/identity/security/schemas.ts';
import type { PasskeyResponse } from '#contract/identity/sign-in/schemas.ts';
import type { Config } from '#server/config.ts';
import type { Context } from '#server/context.ts';
import { present } from '#server/core/present.ts';
import { consumePasskeyChallenge, openChallenge } from '#server/credentials/passkey-challenge.ts';
import { type RelyingParty, readAssertion } from '#server/credentials/webauthn.ts';
import type { Database } from '#server/database/database.ts';
import { customers, passkeys } from '#server/database/schema/people.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import type { OwnerOnDevice } from '../customers.ts';

import { settleFactors } from './recovery-codes.ts';
import { changeAccount } from './security-events.ts';

type Dependencies = Pick<Context, 'db' | 'clock' | 'vault' | 'config' | 'log'>;
type OwnedPasskey = { passkey: typeof passkeys.$inferSelect; userId: string | null };

/** The customer and passkey of a verified response. */
export type VerifiedAssertion = {
  customerId: string;
  passkeyId: string;
  /**
   * The authenticator verified the user, by finger, face or PIN, now and at registration, so it counts as both steps of
   * a sign-in. Registration matters because the finder of a key without a PIN can set one.
   */
  userVerified: boolean;
};

/**
 * Verifies and uses up a passkey's response to a challenge of `createAssertionOptions`.
 * @throws {ApiError} attempt_expired, unknown_credential, passkey_refused
 */
export async function verifyAssertion(
  context: Dependencies,
  { temp, response }: { temp: string; response: PasskeyResponse },
): Promise<VerifiedAssertion> {
  const challenge = openChallenge(context, { purpose: 'sign-in', temp });
  const match = await findPasskey(context.db, response.id);
  if (!match) throw new ApiError('unknown_credential');
  await consumePasskeyChallenge(context.db, challenge);
  const { passkey } = match;
  const userVerified =
    (await readAssertion(context, customerSites(context.config), {
      ...match,
      table: passkeys,
      challenge: challenge.challenge,
      response,
    })) && passkey.verifiesUser;
  return { customerId: passkey.customerId, passkeyId: passkey.id, userVerified };
}

/** Where the passkeys of customers work. */
export function customerSites({
  parentDomain,
  origins,
}: Pick<Config, 'parentDomain' | 'origins'>): RelyingParty {
  return {
    id: parentDomain,
    origins: listHostsOf('customer').map((host) => origins[host]),
    userVerification: 'preferred',
  };
}

async function findPasskey(db: Database, credentialId: string): Promise<OwnedPasskey | null> {
  const [match] = await db
    .select({ passkey: passkeys, userId: customers.webauthnUserId })
    .from(passkeys)
    .innerJoin(customers, eq(customers.id, passkeys.customerId))
    .where(eq(passkeys.credentialId, credentialId));
  return match ?? null;
}

type PasskeyRow = typeof passkeys.$inferSelect;

export function presentPasskey(row: PasskeyRow): Passkey {
  return present(PasskeySchema, row);
}

/** A customer's passkeys, oldest first. */
export async function listPasskeys(db: Database, customerId: string): Promise<Passkey[]> {
  const rows = await db
    .select()
    .from(passkeys)
    .where(eq(passkeys.customerId, customerId))
    .orderBy(asc(passkeys.insertedAt), asc(passkeys.id));
  return rows.map(presentPasskey);
}

/**
 * Renames a passkey.
 * @throws {ApiError} not_found
 */
export async function renamePasskey(
  db: Database,
  { customerId, id, name }: { customerId: string; id: string; name: string },
): Promise<Passkey> {
  const [renamed] = await db.update(passkeys).set({ name }).where(isOwn(customerId, id)).returning();
  if (!renamed) throw notFound();
  return presentPasskey(renamed);
}

/**
 * Removes a passkey, which can no longer sign in.
 * @throws {ApiError} not_found, last_second_factor
 */
export async function removePasskey(
  context: Context,
  { id, ...owner }: OwnerOnDevice & { id: string },
): Promise<void> {
  await changeAccount(context, owner, async (tx, customer) => {
    const removed = await tx.delete(passkeys).where(isOwn(customer.id, id)).returning({ id: passkeys.id });
    if (removed.length === 0) throw notFound();
    await settleFactors(tx, customer);
    return 'passkey_removed';
  });
}

function isOwn(customerId: string, id: string) {
  return and(eq(passkeys.id, id), eq(passkeys.customerId, customerId));
}
