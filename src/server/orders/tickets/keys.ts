import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { and, desc, eq, gt, isNull, or } from 'drizzle-orm';
import { type TicketKey, TicketKeySchema } from '#contract/orders/schemas.ts';
import type { Context, TicketSigner } from '#server/context.ts';
import { describeError } from '#server/core/log.ts';
import { present } from '#server/core/present.ts';
import type { Database } from '#server/database/database.ts';
import { ticketKeys } from '#server/database/schema/system.ts';

/** How long a retired key still verifies: longer than sailings are on sale in advance. */
const RETIRED_KEY_DAYS = 400;

type KeyContext = Pick<Context, 'db' | 'vault' | 'clock'>;

/** How long a process signs with a key that another process has replaced. */
const REFRESH_EVERY_MS = 5_000;

/** A signer that other processes may give another key. */
export type RefreshedSigner = TicketSigner & {
  /** Uses the newest key from now on. */
  refresh(): Promise<void>;
};

/**
 * Creates a signer with the newest key, which is created at the first start. Processes that start together use the same
 * key, because key ids are numbered and only one of them can insert `k1`. If the private key cannot be decrypted, a new
 * key is created and sold tickets stay valid.
 */
export async function createTicketSigner(context: KeyContext): Promise<RefreshedSigner> {
  const signer = {
    ...(await loadSigner(context)),
    async refresh() {
      const newest = await findNewestKey(context.db);
      if (newest?.keyId !== signer.keyId) Object.assign(signer, await loadSigner(context));
    },
  };
  return signer;
}

/** Refreshes a signer every few seconds. */
export function keepSignerFresh(
  signer: RefreshedSigner,
  { log }: Pick<Context, 'log'>,
): { stop(): Promise<void> } {
  const timer = setInterval(() => {
    signer.refresh().catch((error: unknown) => log.error('ticket key not read', describeError(error)));
  }, REFRESH_EVERY_MS).unref();
  return { stop: async () => clearInterval(timer) };
}

async function loadSigner(context: KeyContext): Promise<TicketSigner> {
  const newest = (await findNewestKey(context.db)) ?? (await addKey(context.db, context, 1));
  const privateKey = decryptPrivateKey(context.vault, newest.encryptedPrivateKey);
  if (!privateKey) {
    await rotateTicketKey(context);
    return loadSigner(context);
  }
  return {
    keyId: newest.keyId,
    sign: (message) => new Uint8Array(sign(null, message, privateKey)),
  };
}

/**
 * Replaces the newest key, which still verifies for 400 days. Running processes use the new one within seconds. Two
 * concurrent rotations create one key.
 * @returns the id of the new key
 */
export async function rotateTicketKey(context: KeyContext): Promise<string> {
  return context.db.transaction(async (tx) => {
    const newest = await findNewestKey(tx);
    const next = await addKey(tx, context, newest ? parseNumber(newest.keyId) + 1 : 1);
    const retiredAt = new Date(context.clock.now().getTime() + RETIRED_KEY_DAYS * 86_400_000);
    if (newest) {
      await tx
        .update(ticketKeys)
        .set({ notAfter: retiredAt })
        .where(and(eq(ticketKeys.keyId, newest.keyId), isNull(ticketKeys.notAfter)));
    }
    return next.keyId;
  });
}

/**
 * Ends a key at once, after replacing it if it is the newest. Its tickets are no longer valid; see `reissueTickets`.
 * @returns false if there is no such key
 */
export async function revokeTicketKey(context: KeyContext, keyId: string): Promise<boolean> {
  const newest = await findNewestKey(context.db);
  if (newest?.keyId === keyId) await rotateTicketKey(context);
  const revoked = await context.db
    .update(ticketKeys)
    .set({ notAfter: context.clock.now() })
    .where(eq(ticketKeys.keyId, keyId))
    .returning({ keyId: ticketKeys.keyId });
  return revoked.length > 0;
}

/** The public keys that a gate needs now, newest first. */
export async function listTicketKeys({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<TicketKey[]> {
  const rows = await db
    .select()
    .from(ticketKeys)
    .where(or(isNull(ticketKeys.notAfter), gt(ticketKeys.notAfter, clock.now())))
    .orderBy(desc(ticketKeys.notBefore), desc(ticketKeys.keyId));
  return rows.map((row) => present(TicketKeySchema, { ...row, algorithm: 'Ed25519', key: row.publicKey }));
}

type KeyRow = typeof ticketKeys.$inferSelect;

async function findNewestKey(db: Database): Promise<KeyRow | null> {
  const rows = await db.select().from(ticketKeys);
  rows.sort((a, b) => parseNumber(b.keyId) - parseNumber(a.keyId));
  return rows[0] ?? null;
}

/** Inserts a key with this number, or returns the one that another process just inserted. */
async function addKey(
  tx: Database,
  { vault, clock }: Omit<KeyContext, 'db'>,
  number: number,
): Promise<KeyRow> {
  const pair = generateKeyPairSync('ed25519');
  const keyId = `k${number}`;
  const pkcs8 = pair.privateKey.export({ format: 'der', type: 'pkcs8' });
  await tx
    .insert(ticketKeys)
    .values({
      keyId,
      publicKey: pair.publicKey.export({ format: 'jwk' }).x ?? '',
      encryptedPrivateKey: vault.encrypt(pkcs8.toString('base64')),
      notBefore: clock.now(),
    })
    .onConflictDoNothing();
  const [row] = await tx.select().from(ticketKeys).where(eq(ticketKeys.keyId, keyId));
  if (!row) throw new Error('The ticket key was not stored.');
  return row;
}

function decryptPrivateKey(vault: Context['vault'], ciphertext: string): KeyObject | null {
  try {
    return createPrivateKey({
      key: Buffer.from(vault.decrypt(ciphertext), 'base64'),
      format: 'der',
      type: 'pkcs8',
    });
  } catch {
    return null;
  }
}

function parseNumber(keyId: string): number {
  return Number(keyId.slice(1));
}
