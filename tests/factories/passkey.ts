import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import { customers, passkeys } from '#server/database/schema/people.ts';

/** Deviations of an authenticator from the standard behavior. */
export type Quirks = {
  origin?: string;
  rpId?: string;
  challenge?: string;
  /** Whether it verified the user, by finger or PIN. */
  userVerified?: boolean;
  userPresent?: boolean;
  counter?: number;
  userHandle?: string;
  type?: string;
};

export type SoftwarePasskey = {
  credentialId: string;
  /** COSE key, base64url, as stored by a server. */
  publicKey: string;
  /** The result of `navigator.credentials.create` as JSON. */
  register(options: CreationOptions, quirks?: Quirks): RegistrationJson;
  /** The result of `navigator.credentials.get` as JSON; each increases the counter. */
  assert(options: RequestOptions, quirks?: Quirks): AssertionJson;
};

type CreationOptions = { challenge: string; rp: { id?: string }; user: { id: string } };
type RequestOptions = { challenge: string; rpId?: string };
type RegistrationJson = Answer<{ clientDataJSON: string; attestationObject: string; transports: string[] }>;
type AssertionJson = Answer<{
  clientDataJSON: string;
  authenticatorData: string;
  signature: string;
  userHandle?: string;
}>;
type Answer<Response> = {
  id: string;
  rawId: string;
  type: 'public-key';
  response: Response;
  clientExtensionResults: Record<string, unknown>;
  authenticatorAttachment: 'platform';
};

const FLAGS = { present: 0x01, verified: 0x04, credential: 0x40 };

/** An authenticator in software (ES256, no attestation), holding one passkey for pages of `origin`. */
export function createSoftwarePasskey({
  origin,
  userHandle,
}: {
  origin: string;
  userHandle?: string;
}): SoftwarePasskey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const cose = cbor(
    new Map<number, number | Buffer>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  );
  const rawId = randomBytes(16);
  const credentialId = rawId.toString('base64url');
  const { hostname } = new URL(origin);
  let owner = userHandle;
  let counter = 0;

  const clientData = (type: string, challenge: string, quirks: Quirks) =>
    Buffer.from(
      JSON.stringify({
        type: quirks.type ?? type,
        challenge: quirks.challenge ?? challenge,
        origin: quirks.origin ?? origin,
        crossOrigin: false,
      }),
    );
  const wrap = <Response>(response: Response): Answer<Response> => ({
    id: credentialId,
    rawId: credentialId,
    type: 'public-key',
    response,
    clientExtensionResults: {},
    authenticatorAttachment: 'platform',
  });

  return {
    credentialId,
    publicKey: cose.toString('base64url'),
    register(options, quirks = {}) {
      owner = options.user.id;
      const rpId = quirks.rpId ?? options.rp.id ?? hostname;
      const length = Buffer.alloc(2);
      length.writeUInt16BE(rawId.length);
      const credential = Buffer.concat([Buffer.alloc(16), length, rawId, cose]);
      const authData = Buffer.concat([
        authenticatorData(rpId, FLAGS.credential | flagsOf(quirks), quirks.counter ?? counter),
        credential,
      ]);
      const attestation = cbor(
        new Map<string, unknown>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', authData],
        ]),
      );
      return wrap({
        clientDataJSON: clientData('webauthn.create', options.challenge, quirks).toString('base64url'),
        attestationObject: attestation.toString('base64url'),
        transports: ['internal'],
      });
    },
    assert(options, quirks = {}) {
      counter += 1;
      const rpId = quirks.rpId ?? options.rpId ?? hostname;
      const data = clientData('webauthn.get', options.challenge, quirks);
      const authData = authenticatorData(rpId, flagsOf(quirks), quirks.counter ?? counter);
      const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), privateKey);
      const handle = quirks.userHandle ?? owner;
      return wrap({
        clientDataJSON: data.toString('base64url'),
        authenticatorData: authData.toString('base64url'),
        signature: signature.toString('base64url'),
        ...(handle === undefined ? {} : { userHandle: handle }),
      });
    },
  };
}

/** Adds a passkey with user verification to a customer's account. */
export async function addPasskey(
  { db, clock, config }: Pick<Context, 'db' | 'clock' | 'config'>,
  customerId: string,
): Promise<SoftwarePasskey> {
  const [customer] = await db.select().from(customers).where(eq(customers.id, customerId));
  const userHandle = customer?.webauthnUserId ?? randomBytes(32).toString('base64url');
  await db.update(customers).set({ webauthnUserId: userHandle }).where(eq(customers.id, customerId));
  const passkey = createSoftwarePasskey({ origin: config.origins.portal, userHandle });
  await db.insert(passkeys).values({
    id: newId('pky'),
    customerId,
    credentialId: passkey.credentialId,
    publicKey: passkey.publicKey,
    counter: 0,
    transports: ['internal'],
    backedUp: false,
    verifiesUser: true,
    aaguid: '00000000-0000-0000-0000-000000000000',
    name: 'Passkey',
    insertedAt: clock.now(),
  });
  return passkey;
}

function flagsOf({ userVerified = true, userPresent = true }: Quirks): number {
  return (userPresent ? FLAGS.present : 0) | (userVerified ? FLAGS.verified : 0);
}

function authenticatorData(rpId: string, flags: number, counter: number): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), count]);
}

function sha256(data: string | Buffer): Buffer {
  return createHash('sha256').update(data).digest();
}

/** The part of CBOR that authenticators use: integers, bytes, text and maps, whose keys must be in canonical order. */
function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value >= 0 ? cborHead(0, value) : cborHead(1, -1 - value);
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value]);
  if (typeof value === 'string') {
    const bytes = Buffer.from(value);
    return Buffer.concat([cborHead(3, bytes.length), bytes]);
  }
  if (value instanceof Map) {
    return Buffer.concat([cborHead(5, value.size), ...[...value].flat().map(cbor)]);
  }
  throw new Error('An authenticator does not say that.');
}

function cborHead(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length]);
  if (length < 256) return Buffer.from([(major << 5) | 24, length]);
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
}
