import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { ConfigError } from './config.ts';
import { createVault } from './core/vault.ts';
import type { Database } from './database/database.ts';
import { secrets } from './database/schema/system.ts';

/** Row of the secret that was generated at the first start without APP_SECRET. */
export const GENERATED_SECRET = 'app';
/** Row of a signature made with the installation's secret, to detect a different one. */
const SECRET_CHECK = 'app-check';
const CHECK_PURPOSE = 'app-secret-check';

/**
 * Loads the secret for encryption and signatures: from the environment, otherwise generated once and stored in the
 * database, which all processes of the installation share.
 * @throws {ConfigError} if the database was set up with another secret
 */
export async function loadAppSecret(db: Database, fromEnvironment: string | null): Promise<string> {
  const check = await readSecret(db, SECRET_CHECK);
  const made = await readSecret(db, GENERATED_SECRET);
  if (fromEnvironment === null && made === null && check !== null)
    throw wrongSecret('APP_SECRET is missing.');
  const secret =
    fromEnvironment ??
    made ??
    (await storeIfAbsent(db, GENERATED_SECRET, randomBytes(32).toString('base64url')));
  const own = createVault(secret).sign(CHECK_PURPOSE, SECRET_CHECK);
  if ((check ?? (await storeIfAbsent(db, SECRET_CHECK, own))) === own) return secret;
  const isMade = made !== null && createVault(made).sign(CHECK_PURPOSE, SECRET_CHECK) === check;
  throw wrongSecret(
    isMade
      ? 'APP_SECRET is set, but this installation keeps its secret in its database: unset APP_SECRET.'
      : 'APP_SECRET is not the secret this installation was set up with.',
  );
}

/** The secret that was generated at the first start; null if there is none. */
export function readGeneratedSecret(db: Database): Promise<string | null> {
  return readSecret(db, GENERATED_SECRET);
}

/** Stores the generated secret of the installation that a backup was made of. */
export async function storeGeneratedSecret(db: Database, secret: string): Promise<void> {
  await storeIfAbsent(db, GENERATED_SECRET, secret);
}

function wrongSecret(problem: string): ConfigError {
  return new ConfigError(
    `${problem}\n` +
      'With another secret the keys that sign tickets, authenticators, recovery codes, PINs of trip cards and mails ' +
      'not yet sent cannot be read, so nothing was started and nothing was changed. Start again with the earlier ' +
      'secret. If it is lost, restore a backup of the database whose secret you have.',
  );
}

async function readSecret(db: Database, name: string): Promise<string | null> {
  const [row] = await db.select().from(secrets).where(eq(secrets.name, name));
  return row?.value ?? null;
}

/** Stores the value unless another process was first; returns the stored value. */
async function storeIfAbsent(db: Database, name: string, value: string): Promise<string> {
  await db.insert(secrets).values({ name, value }).onConflictDoNothing();
  const stored = await readSecret(db, name);
  if (stored === null) throw new Error('A secret could not be stored.');
  return stored;
}
