import { randomBytes } from 'node:crypto';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { eq, sql } from 'drizzle-orm';
import type { Passkey } from '#contract/identity/security/schemas.ts';
import type { PasskeyResponse } from '#contract/identity/sign-in/schemas.ts';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import type { Database } from '#server/database/database.ts';
import { customers, passkeys } from '#server/database/schema/people.ts';
import { inTransaction, violatedUniqueConstraint } from '#server/database/transactions.ts';
import { ApiError } from '#server/http/api-error.ts';
import { sendSoon } from '#server/mail/account-mails.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import { lockOwner, type Owner, type OwnerOnDevice, requireCustomer } from '../customers.ts';
import {
  consumePasskeyChallenge,
  createChallenge,
  loadWebAuthn,
  openChallenge,
  PASSKEY_TIMEOUT_MS,
} from './passkey-challenge.ts';
import { passkeyOrigins, presentPasskey } from './passkeys.ts';
import { reportSecurityEvent } from './security-events.ts';

const MAX_PASSKEYS = 20;
const USER_ID_BYTES = 32;
/** EdDSA, ES256, RS256: every authenticator supports one of them. */
const ALGORITHMS = [-8, -7, -257];

/**
 * The options with which a browser creates a passkey.
 * @throws {ApiError} too_many_passkeys
 */
export async function createPasskeyOptions(
  context: Pick<Context, 'db' | 'clock' | 'vault' | 'config'>,
  customerId: string,
): Promise<{ temp: string; options: Record<string, unknown> }> {
  const customer = await requireCustomer(context.db, customerId);
  const existing = await context.db.select().from(passkeys).where(eq(passkeys.customerId, customerId));
  if (existing.length >= MAX_PASSKEYS) throw new ApiError('too_many_passkeys');
  const { brand } = await loadWebSettings(context);
  const { bytes, temp } = createChallenge(context, `add ${customerId}`);
  const { generateRegistrationOptions } = await loadWebAuthn();
  const options = await generateRegistrationOptions({
    rpName: brand.name,
    rpID: context.config.parentDomain,
    userID: Uint8Array.from(Buffer.from(await requireUserId(context.db, customerId), 'base64url')),
    userName: customer.email,
    userDisplayName: customer.name,
    challenge: bytes,
    timeout: PASSKEY_TIMEOUT_MS,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification: 'preferred' },
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: existing.map(({ credentialId, transports }) => ({ id: credentialId, transports })),
  });
  return { temp, options: { ...options } };
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
  const made = await readNewPasskey(context, { challenge: challenge.challenge, response });
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

type NewPasskey = Pick<
  typeof passkeys.$inferInsert,
  'credentialId' | 'publicKey' | 'counter' | 'transports' | 'backedUp' | 'verifiesUser' | 'aaguid'
>;

async function readNewPasskey(
  { config }: Pick<Context, 'config'>,
  { challenge, ...input }: { challenge: string; response: PasskeyResponse },
): Promise<NewPasskey> {
  const response = input.response as unknown as RegistrationResponseJSON;
  const { verifyRegistrationResponse } = await loadWebAuthn();
  if (!(await isAllowedAttestation(response))) throw new ApiError('passkey_refused');
  const checked = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: passkeyOrigins(config),
    expectedRPID: config.parentDomain,
    requireUserVerification: false,
    supportedAlgorithmIDs: ALGORITHMS,
    // The library throws for every invalid response.
  }).catch(() => null);
  if (!checked?.verified) throw new ApiError('passkey_refused');
  const { credential, credentialBackedUp, userVerified, aaguid } = checked.registrationInfo;
  return {
    credentialId: credential.id,
    publicKey: Buffer.from(credential.publicKey).toString('base64url'),
    counter: credential.counter,
    transports: readTransports(response.response.transports),
    backedUp: credentialBackedUp,
    verifiesUser: userVerified,
    aaguid,
  };
}

/**
 * Attestation was not requested, so browsers send none or a self-signed one. Attestation with certificates is refused
 * without parsing, because verifying it would fetch URLs it contains.
 */
async function isAllowedAttestation({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject } = await loadWebAuthn();
  try {
    const bytes = Uint8Array.from(Buffer.from(response.attestationObject, 'base64url'));
    const attestation = decodeAttestationObject(bytes);
    const format = attestation.get('fmt');
    return format === 'none' || (format === 'packed' && !attestation.get('attStmt').get('x5c'));
  } catch {
    return false;
  }
}

/** Only returned to browsers, so unknown values are dropped. */
function readTransports(given: unknown): string[] {
  if (!Array.isArray(given)) return [];
  return given
    .filter((each): each is string => typeof each === 'string' && /^[a-z-]{1,20}$/.test(each))
    .slice(0, 8);
}

/** The customer's WebAuthn user handle, created with the first passkey. */
async function requireUserId(db: Database, customerId: string): Promise<string> {
  const candidate = randomBytes(USER_ID_BYTES).toString('base64url');
  const [customer] = await db
    .update(customers)
    .set({ webauthnUserId: sql`coalesce(${customers.webauthnUserId}, ${candidate})` })
    .where(eq(customers.id, customerId))
    .returning({ userId: customers.webauthnUserId });
  if (!customer?.userId) throw new ApiError('session_expired');
  return customer.userId;
}

/** Names of password managers and platforms by the AAGUID of their passkeys. */
const NAMES: Readonly<Record<string, string>> = {
  'fbfc3007-154e-4ecc-8c0b-6e020557d7bd': 'iCloud Keychain',
  'dd4ec289-e01d-41c9-bb89-70fa845d4bf2': 'iCloud Keychain',
  'ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4': 'Google Password Manager',
  'adce0002-35bc-c60a-648b-0b25f1f05503': 'Chrome on Mac',
  '08987058-cadc-4b81-b6e1-30de50dcbe96': 'Windows Hello',
  '9ddd1817-af5a-4672-a2b9-3e3dd95000a9': 'Windows Hello',
  '6028b017-b1d4-4c02-b4b3-afcdafc96bb2': 'Windows Hello',
  'bada5566-a7aa-401f-bd96-45619a55120d': '1Password',
  'd548826e-79b4-db40-a3d8-11116f7e8349': 'Bitwarden',
  '531126d6-e717-415c-9320-3d9aa6981239': 'Dashlane',
  '53414d53-554e-4700-0000-000000000000': 'Samsung Pass',
  'fdb141b2-5d84-443e-8a35-4698c205a502': 'KeePassXC',
};

/** The default name of a passkey: its provider, or the device where it was created. */
function defaultPasskeyName(aaguid: string, device: string): string {
  return NAMES[aaguid] ?? device;
}
