import { randomBytes } from 'node:crypto';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';
import type { PasskeyResponse } from '#contract/identity/sign-in/schemas.ts';
import type { Context } from '../context.ts';
import { type Database, queryRows } from '../database/database.ts';
import type { passkeys } from '../database/schema/people.ts';
import { ApiError } from '../http/api-error.ts';
import {
  type ChallengePurpose,
  createChallenge,
  loadWebAuthn,
  PASSKEY_TIMEOUT_MS,
} from './passkey-challenge.ts';

export const MAX_PASSKEYS = 20;
const USER_ID_BYTES = 32;
/** EdDSA, ES256, RS256: every authenticator supports one of them. */
const ALGORITHMS = [-8, -7, -257];

/** The site that passkeys belong to. */
export type RelyingParty = {
  /** A domain; passkeys work on it and its subdomains. */
  id: string;
  /** The only origins on which they are accepted. */
  origins: readonly string[];
  /** Whether the authenticator must verify its user, by finger, face or PIN. */
  userVerification: 'preferred' | 'required';
};

type PasskeyRow = typeof passkeys.$inferSelect;
/** The fields of a passkey that do not depend on its owner. */
type AnyPasskey = Omit<PasskeyRow, 'customerId'>;

/** The handle of a challenge, and the options for the browser's call. */
export type PasskeyOptions = { temp: string; options: Record<string, unknown> };

/**
 * The options with which a browser asks for any passkey of a site. The passkey identifies its owner. The caller must
 * limit the rate.
 */
export async function createAssertionOptions(
  context: Pick<Context, 'vault' | 'clock'>,
  { id: rpID, userVerification }: RelyingParty,
  purpose: ChallengePurpose,
): Promise<PasskeyOptions> {
  const { bytes: challenge, temp } = createChallenge(context, purpose);
  const { generateAuthenticationOptions } = await loadWebAuthn();
  const timeout = PASSKEY_TIMEOUT_MS;
  const options = await generateAuthenticationOptions({ rpID, challenge, userVerification, timeout });
  return { temp, options: { ...options } };
}

/** The owner of a new passkey. */
export type PasskeyOwner = {
  /** The WebAuthn user handle, base64url. */
  userId: string;
  email: string;
  name: string;
  existing: readonly Pick<PasskeyRow, 'credentialId' | 'transports'>[];
};

/**
 * The options with which a browser creates a passkey.
 * @throws {ApiError} too_many_passkeys
 */
export async function createRegistrationOptions(
  context: Pick<Context, 'vault' | 'clock'>,
  { id, userVerification }: RelyingParty,
  { brand, purpose, owner }: { brand: string; purpose: ChallengePurpose; owner: PasskeyOwner },
): Promise<PasskeyOptions> {
  if (owner.existing.length >= MAX_PASSKEYS) throw new ApiError('too_many_passkeys');
  const { bytes, temp } = createChallenge(context, purpose);
  const { generateRegistrationOptions } = await loadWebAuthn();
  const options = await generateRegistrationOptions({
    rpName: brand,
    rpID: id,
    userID: Uint8Array.from(Buffer.from(owner.userId, 'base64url')),
    userName: owner.email,
    userDisplayName: owner.name,
    challenge: bytes,
    timeout: PASSKEY_TIMEOUT_MS,
    attestationType: 'none',
    authenticatorSelection: { residentKey: 'required', userVerification },
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: owner.existing.map(({ credentialId, transports }) => ({
      id: credentialId,
      transports,
    })),
  });
  return { temp, options: { ...options } };
}

export type NewPasskey = Pick<
  PasskeyRow,
  'credentialId' | 'publicKey' | 'counter' | 'transports' | 'backedUp' | 'verifiesUser' | 'aaguid'
>;

/**
 * Verifies the passkey that a browser created.
 * @throws {ApiError} passkey_refused
 */
export async function readNewPasskey(
  { id, origins, userVerification }: RelyingParty,
  { challenge, ...input }: { challenge: string; response: PasskeyResponse },
): Promise<NewPasskey> {
  const response = input.response as unknown as RegistrationResponseJSON;
  const { verifyRegistrationResponse } = await loadWebAuthn();
  if (!(await isAllowedAttestation(response))) throw new ApiError('passkey_refused');
  const checked = await verifyRegistrationResponse({
    response,
    expectedChallenge: challenge,
    expectedOrigin: [...origins],
    expectedRPID: id,
    requireUserVerification: userVerification === 'required',
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
 * Verifies a passkey's response to a challenge, and records its use.
 * @param input `table`: of the passkey; `userId`: the WebAuthn user handle of its owner
 * @returns whether the authenticator verified its user
 * @throws {ApiError} passkey_refused
 */
export async function readAssertion(
  context: Pick<Context, 'db' | 'clock' | 'log'>,
  { id, origins, userVerification }: RelyingParty,
  input: {
    table: PgTable;
    passkey: AnyPasskey;
    userId: string | null;
    challenge: string;
    response: PasskeyResponse;
  },
): Promise<boolean> {
  const { table, passkey, userId, challenge, response } = input;
  const { userHandle } = response.response;
  if (userHandle !== undefined && userHandle !== null && userHandle !== userId) {
    throw new ApiError('passkey_refused');
  }
  const { verifyAuthenticationResponse } = await loadWebAuthn();
  const checked = await verifyAuthenticationResponse({
    response: response as unknown as AuthenticationResponseJSON,
    expectedChallenge: challenge,
    expectedOrigin: [...origins],
    expectedRPID: id,
    requireUserVerification: userVerification === 'required',
    credential: {
      id: passkey.credentialId,
      publicKey: Uint8Array.from(Buffer.from(passkey.publicKey, 'base64url')),
      // Compared below, to distinguish a decreased counter from an invalid response.
      counter: 0,
    },
    // The library throws for every invalid response.
  }).catch(() => null);
  if (!checked?.verified) throw new ApiError('passkey_refused');
  const { newCounter, credentialBackedUp, userVerified } = checked.authenticationInfo;
  if (!(await recordUse(context, { table, passkey, newCounter, credentialBackedUp }))) {
    context.log.warn('a passkey counted backwards', { passkey_id: passkey.id });
    throw new ApiError('passkey_refused');
  }
  return userVerified;
}

/** A counter that does not increase means that a key was cloned; 0 means that it does not count. */
async function recordUse(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  input: { table: PgTable; passkey: AnyPasskey; newCounter: number; credentialBackedUp: boolean },
): Promise<boolean> {
  const { table, passkey, newCounter, credentialBackedUp } = input;
  const used = await queryRows(
    db,
    sql`
      update ${table} set counter = ${newCounter}::bigint, backed_up = ${credentialBackedUp}::boolean,
        last_used_at = ${clock.now().toISOString()}::timestamptz
      where id = ${passkey.id}
        and (counter < ${newCounter}::bigint or (counter = 0 and ${newCounter}::bigint = 0))
      returning id
    `,
  );
  return used.length > 0;
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

/** The WebAuthn user handle of an account, created with its first passkey; null if the account is gone. */
export async function ensureUserId(
  db: Database,
  { table, id }: { table: PgTable; id: string },
): Promise<string | null> {
  const candidate = randomBytes(USER_ID_BYTES).toString('base64url');
  const [account] = await queryRows<{ userId: string }>(
    db,
    sql`
      update ${table} set webauthn_user_id = coalesce(webauthn_user_id, ${candidate})
      where id = ${id} returning webauthn_user_id as "userId"
    `,
  );
  return account?.userId ?? null;
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
export function defaultPasskeyName(aaguid: string, device: string): string {
  return NAMES[aaguid] ?? device;
}
