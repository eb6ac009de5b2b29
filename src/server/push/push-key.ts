import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { Context } from '../context.ts';
import { pushKeys, pushSubscriptions } from '../database/schema/push.ts';
import { inTransaction } from '../database/transactions.ts';

/** How long a push service may accept the signature; at most a day. */
const VALID_SECONDS = 12 * 3600;
const ONLY_KEY = 1;

/** The operator's key pair for push services (VAPID). */
export type PushKey = {
  /** An uncompressed point on P-256, base64url: what browsers subscribe with. */
  publicKey: string;
  /** The Authorization header for a push service (RFC 8292). */
  authorize(service: { origin: string; contact: string; now: Date }): string;
};

type KeyContext = Pick<Context, 'db' | 'vault' | 'clock'>;

/**
 * Loads the key pair, which is created at the first start. If its private key cannot be decrypted, another one replaces
 * it, and the subscriptions that are bound to it are deleted.
 */
export async function loadPushKey(context: KeyContext): Promise<PushKey> {
  await addKey(context);
  const row = await readKey(context);
  const privateKey = decryptKey(context.vault, row.encryptedPrivateKey);
  if (privateKey) return createPushKey(privateKey, row.publicKey);
  await inTransaction(context.db, async (tx) => {
    await tx.delete(pushSubscriptions);
    await tx.delete(pushKeys);
  });
  return loadPushKey(context);
}

function createPushKey(privateKey: KeyObject, publicKey: string): PushKey {
  return {
    publicKey,
    authorize({ origin, contact, now }) {
      const expiresAt = Math.floor(now.getTime() / 1000) + VALID_SECONDS;
      const claims = { aud: origin, exp: expiresAt, sub: contact };
      const parts = [{ typ: 'JWT', alg: 'ES256' }, claims].map((part) =>
        Buffer.from(JSON.stringify(part)).toString('base64url'),
      );
      const signed = parts.join('.');
      const signature = sign('sha256', Buffer.from(signed), { key: privateKey, dsaEncoding: 'ieee-p1363' });
      return `vapid t=${signed}.${signature.toString('base64url')}, k=${publicKey}`;
    },
  };
}

/** Processes that start together use the key of the first. */
async function addKey({ db, vault, clock }: KeyContext): Promise<void> {
  if ((await db.$count(pushKeys)) > 0) return;
  const pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = pair.publicKey.export({ format: 'jwk' });
  const point = [Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')];
  const pkcs8 = pair.privateKey.export({ format: 'der', type: 'pkcs8' });
  await db
    .insert(pushKeys)
    .values({
      id: ONLY_KEY,
      publicKey: Buffer.concat(point).toString('base64url'),
      encryptedPrivateKey: vault.encrypt(pkcs8.toString('base64')),
      insertedAt: clock.now(),
    })
    .onConflictDoNothing();
}

async function readKey({ db }: KeyContext): Promise<typeof pushKeys.$inferSelect> {
  const [row] = await db.select().from(pushKeys);
  if (!row) throw new Error('The key for push services was not stored.');
  return row;
}

function decryptKey(vault: Context['vault'], ciphertext: string): KeyObject | null {
  try {
    const key = Buffer.from(vault.decrypt(ciphertext), 'base64');
    return createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  } catch {
    return null;
  }
}
