import { randomBytes } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Database } from './database/database.ts';
import { secrets } from './database/schema/system.ts';

/**
 * The secret everything of the installation is sealed and signed with: from the environment, else made once
 * and kept in the database, where all processes of the installation find the same.
 */
export async function loadAppSecret(db: Database, fromEnvironment: string | null): Promise<string> {
  if (fromEnvironment) return fromEnvironment;
  const made = randomBytes(32).toString('base64url');
  await db.insert(secrets).values({ name: 'app', value: made }).onConflictDoNothing();
  const [row] = await db.select().from(secrets).where(eq(secrets.name, 'app'));
  if (!row) throw new Error('The application secret could not be stored.');
  return row.value;
}
