import { eq } from 'drizzle-orm';
import type { Passkey } from '#contract/identity/security/schemas.ts';
import type { PasskeyResponse } from '#contract/identity/sign-in/schemas.ts';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import { consumePasskeyChallenge, openChallenge } from '#server/credentials/passkey-challenge.ts';
import {
  createRegistrationOptions,
  defaultPasskeyName,
  ensureUserId,
  MAX_PASSKEYS,
  type PasskeyOptions,
  readNewPasskey,
} from '#server/credentials/webauthn.ts';
import type { Database } from '#server/database/database.ts';
import { customers, passkeys } from '#server/database/schema/people.ts';
import { inTransaction, violatedUniqueConstraint } from '#server/database/transactions.ts';
import { ApiError } from '#server/http/api-error.ts';
import { sendSoon } from '#server/mail/account-mails.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import { lockOwner, type Owner, type OwnerOnDevice, requireCustomer } from '../customers.ts';
import { customerSites, presentPasskey } from './passkeys.ts';
import { reportSecurityEvent } from './security-events.ts';

/**
 * The options with which a browser creates a passkey.
 * @throws {ApiError} too_many_passkeys
 */
export async function createPasskeyOptions(
  context: Pick<Context, 'db' | 'clock' | 'vault' | 'config'>,
  customerId: string,
): Promise<PasskeyOptions> {
  const { email, name } = await requireCustomer(context.db, customerId);
  const existing = await context.db.select().from(passkeys).where(eq(passkeys.customerId, customerId));
  const userId = await ensureUserId(context.db, { table: customers, id: customerId });
  if (userId === null) throw new ApiError('session_expired');
  const { brand } = await loadWebSettings(context);
  return createRegistrationOptions(context, customerSites(context.config), {
    brand: brand.name,
    purpose: `add ${customerId}`,
    owner: { userId, email, name, existing },
  });
}

/**
 * Adds the passkey that a browser created.
 * @throws {ApiError} attempt_expired, passkey_refused, passkey_exists, too_many_passkeys
 */
export async function addPasskey(
  context: Context,
  input: OwnerOnDevice & { temp: string; name?: string | undefined; response: PasskeyResponse },
): Promise<Passkey> {
  const { customerId, device, temp, name, response } = input;
  const challenge = openChallenge(context, { purpose: `add ${customerId}`, temp });
  await consumePasskeyChallenge(context.db, challenge);
  const made = await readNewPasskey(customerSites(context.config), {
    challenge: challenge.challenge,
    response,
  });
  const row = {
    ...made,
    id: newId('pky'),
    customerId,
    name: name ?? defaultPasskeyName(made.aaguid, device),
    insertedAt: context.clock.now(),
  };
  try {
    const { stored, mailId } = await inTransaction(context.db, async (tx) => ({
      stored: await storePasskey(tx, context, { owner: input, row }),
      mailId: await reportSecurityEvent(tx, context, { customerId, kind: 'passkey_added', device }),
    }));
    sendSoon(context.jobs, mailId);
    return presentPasskey(stored);
  } catch (error) {
    if (violatedUniqueConstraint(error) === null) throw error;
    throw new ApiError('passkey_exists');
  }
}

async function storePasskey(
  tx: Database,
  context: Pick<Context, 'clock'>,
  { owner, row }: { owner: Owner; row: typeof passkeys.$inferInsert },
): Promise<typeof passkeys.$inferSelect> {
  await lockOwner(tx, context, owner);
  const existing = await tx
    .select({ id: passkeys.id })
    .from(passkeys)
    .where(eq(passkeys.customerId, row.customerId));
  if (existing.length >= MAX_PASSKEYS) throw new ApiError('too_many_passkeys');
  const [stored] = await tx.insert(passkeys).values(row).returning();
  if (!stored) throw new ApiError('passkey_refused');
  return stored;
}
