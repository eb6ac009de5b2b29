import { randomBytes } from 'node:crypto';
import { eq, like, or } from 'drizzle-orm';
import { type Config, ConfigError } from './config.ts';
import { createVault, getVersion, type Secrets, type Vault } from './core/vault.ts';
import type { Database } from './database/database.ts';
import { secrets } from './database/schema/system.ts';

/** Row of the secret that was generated at the first start without APP_SECRET. */
export const GENERATED_SECRET = 'app';
/** Row of a signature made with the installation's first secret, to detect a different one. */
const FIRST_CHECK = 'app-check';
/** Begins the names of such rows for each later secret that was in use; their version follows. */
const LATER_CHECK = 'app-check-';
/** Begins the names of rows with a replaced secret, encrypted with the one that replaced it. */
const RETIRED = 'app-retired-';
const CHECK_PURPOSE = 'app-secret-check';

type SecretConfig = Pick<Config, 'appSecret' | 'previousSecrets'>;

/** The vault with all secrets of the installation, see `loadSecrets`. */
export async function openVault(db: Database, config: SecretConfig): Promise<Vault> {
  return createVault(await loadSecrets(db, config));
}

/**
 * Loads the secret for encryption and signatures: from the environment, otherwise generated once and stored in the
 * database, which all processes of the installation share. Those it replaces come from the environment and, encrypted,
 * from the database.
 * @throws {ConfigError} if a secret that was in use is missing
 */
export async function loadSecrets(
  db: Database,
  { appSecret, previousSecrets }: SecretConfig,
): Promise<Secrets> {
  const stored = await readRows(db);
  const generated = stored.get(GENERATED_SECRET) ?? null;
  if (appSecret === null && generated === null && stored.has(FIRST_CHECK))
    throw wrongSecret('APP_SECRET is missing.');
  const current =
    appSecret ??
    generated ??
    (await storeIfAbsent(db, GENERATED_SECRET, randomBytes(32).toString('base64url')));
  const accepted = [...previousSecrets, ...(generated === null ? [] : [generated])].filter(
    (secret) => secret !== current,
  );
  const check = stored.get(FIRST_CHECK) ?? (await storeIfAbsent(db, FIRST_CHECK, signCheck(current)));
  const isFirst = (secret: string) => signCheck(secret) === check;
  const given = { current, accepted, retired: [], first: [current, ...accepted].find(isFirst) ?? '' };
  const retired = decryptRetired(createVault(given), stored).filter((secret) => secret !== current);
  const secrets = [current, ...accepted, ...retired];
  const first = secrets.find(isFirst);
  const versions = new Set(secrets.map(getVersion));
  const later = [...stored.keys()].filter((name) => name.startsWith(LATER_CHECK));
  if (first === undefined || later.some((name) => !versions.has(name.slice(LATER_CHECK.length))))
    throw wrongSecret('APP_SECRET is not the secret this installation was set up with.');
  if (current !== first) await storeIfAbsent(db, LATER_CHECK + getVersion(current), signCheck(current));
  return { current, accepted, retired, first };
}

/** The secret that was generated at the first start; null if there is none. */
export async function readGeneratedSecret(db: Database): Promise<string | null> {
  return (await readRows(db)).get(GENERATED_SECRET) ?? null;
}

/** Whether anything was encrypted or signed here, with whichever secret. */
export async function hasUsedSecret(db: Database): Promise<boolean> {
  return (await readRows(db)).has(FIRST_CHECK);
}

/** Stores the generated secret of the installation that a backup was made of. */
export async function storeGeneratedSecret(db: Database, secret: string): Promise<void> {
  await storeIfAbsent(db, GENERATED_SECRET, secret);
}

/**
 * Stores replaced secrets, encrypted with the current one, so that the environment no longer has to name them. A secret
 * that was never in use is left out: it may be the next one, which the current one must not reveal.
 */
export async function retireSecrets(db: Database, used: Secrets): Promise<void> {
  const vault = createVault(used);
  const stored = await readRows(db);
  const wasUsed = (secret: string) => secret === used.first || stored.has(LATER_CHECK + getVersion(secret));
  for (const secret of new Set([...used.accepted, ...used.retired].filter(wasUsed))) {
    const row = { name: RETIRED + getVersion(secret), value: vault.encrypt(secret) };
    await db.insert(secrets).values(row).onConflictDoUpdate({ target: secrets.name, set: row });
  }
  await db.delete(secrets).where(eq(secrets.name, RETIRED + getVersion(used.current)));
}

/** Deletes the generated secret after another one has replaced it. */
export async function deleteGeneratedSecret(db: Database): Promise<void> {
  await db.delete(secrets).where(eq(secrets.name, GENERATED_SECRET));
}

/** All rows are encrypted with the secret that was in use at the last rotation. */
function decryptRetired(vault: Vault, stored: ReadonlyMap<string, string>): string[] {
  return [...stored].flatMap(([name, value]) => {
    if (!name.startsWith(RETIRED)) return [];
    try {
      return [vault.decrypt(value)];
    } catch {
      return [];
    }
  });
}

function signCheck(secret: string): string {
  return createVault(secret).sign(CHECK_PURPOSE, FIRST_CHECK);
}

function wrongSecret(problem: string): ConfigError {
  return new ConfigError(
    `${problem}\n` +
      'With another secret the keys that sign tickets, authenticators, recovery codes, PINs of trip cards and mails ' +
      'not yet sent cannot be read, so nothing was started and nothing was changed. Start again with the earlier ' +
      'secret, or to replace it, with the new one as APP_SECRET and the earlier one as APP_SECRET_PREVIOUS. If it is ' +
      'lost, restore a backup of the database whose secret you have.',
  );
}

async function readRows(db: Database): Promise<Map<string, string>> {
  const rows = await db
    .select()
    .from(secrets)
    .where(or(eq(secrets.name, GENERATED_SECRET), like(secrets.name, 'app-%')));
  return new Map(rows.map(({ name, value }) => [name, value]));
}

/** Stores the value unless another process was first; returns the stored value. */
async function storeIfAbsent(db: Database, name: string, value: string): Promise<string> {
  await db.insert(secrets).values({ name, value }).onConflictDoNothing();
  const [row] = await db.select().from(secrets).where(eq(secrets.name, name));
  if (row === undefined) throw new Error('A secret could not be stored.');
  return row.value;
}
