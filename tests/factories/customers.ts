import { argon2Sync, randomBytes } from 'node:crypto';
import type { Context } from '#server/context.ts';
import { newId } from '#server/core/ids.ts';
import { customers } from '#server/database/schema/people.ts';
import { createSession } from '#server/identity/sessions.ts';

export const PASSWORD = 'a long enough password';

type Overrides = Partial<Omit<typeof customers.$inferInsert, 'id' | 'passwordHash'>> & { password?: string };

/** A customer with a verified address; with a password only when one is given. */
export async function createCustomer(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  { password, ...overrides }: Overrides = {},
): Promise<typeof customers.$inferSelect> {
  const now = clock.now();
  const id = newId('cus');
  const [customer] = await db
    .insert(customers)
    .values({
      id,
      email: `${id}@example.com`,
      name: 'Ada Byron',
      emailVerifiedAt: now,
      insertedAt: now,
      updatedAt: now,
      ...overrides,
      passwordHash: password === undefined ? null : hashAtLowCost(password),
    })
    .returning();
  if (!customer) throw new Error('The customer was not stored.');
  return customer;
}

/** A token of a customer, like that of a password sign-in without a browser, with a step-up for ten minutes. */
export function startSession(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  customerId: string,
  session: { isFresh?: boolean; proof?: string } = {},
): Promise<string> {
  return db.transaction((tx) =>
    createSession(
      tx,
      { clock },
      {
        customerId,
        kind: 'password',
        device: 'Safari on iPhone',
        isFresh: true,
        ...session,
      },
    ),
  );
}

/** A hash that verifies like any other. Hashing at the product's cost took a third of the processor time of the tests. */
function hashAtLowCost(password: string): string {
  const nonce = randomBytes(16);
  const costs = { memory: 64, passes: 1, parallelism: 1, tagLength: 32 };
  const hash = argon2Sync('argon2id', { message: password.normalize('NFC'), nonce, ...costs });
  const [salt, tag] = [nonce, hash].map((bytes) => bytes.toString('base64').replace(/=+$/, ''));
  return `$argon2id$v=19$m=${costs.memory},t=${costs.passes},p=${costs.parallelism}$${salt}$${tag}`;
}
