import { and, asc, eq, gt, isNotNull, type SQL, sql } from 'drizzle-orm';
import type { AnyPgColumn, PgTable } from 'drizzle-orm/pg-core';
import type { Vault } from '../core/vault.ts';
import type { Database } from '../database/database.ts';
import { passengerDetails } from '../database/schema/passenger-lists.ts';
import { authenticators } from '../database/schema/people.ts';
import { pushKeys } from '../database/schema/push.ts';
import { staffMembers } from '../database/schema/staff.ts';
import { idempotencyKeys, mails, ticketKeys } from '../database/schema/system.ts';

/** Every encrypted column. */
const ENCRYPTED: readonly { table: PgTable; column: AnyPgColumn }[] = [
  { table: ticketKeys, column: ticketKeys.encryptedPrivateKey },
  { table: pushKeys, column: pushKeys.encryptedPrivateKey },
  { table: authenticators, column: authenticators.encryptedSecret },
  { table: staffMembers, column: staffMembers.encryptedAuthenticator },
  { table: passengerDetails, column: passengerDetails.encryptedDetails },
  { table: mails, column: mails.encryptedData },
  { table: idempotencyKeys, column: idempotencyKeys.encryptedBody },
];
const PAGE_SIZE = 200;

/**
 * Encrypts every stored value with the current secret that another one encrypted. Servers may run meanwhile: a value
 * that changes at the same time is left to its new content.
 * @returns how many values were encrypted again, and how many no known secret can read
 */
export async function reencrypt(
  db: Database,
  vault: Vault,
): Promise<{ changed: number; unreadable: number }> {
  const counted = { changed: 0, unreadable: 0 };
  for (const { table, column } of ENCRYPTED) {
    let last = '';
    for (;;) {
      const page = await db
        .selectDistinct({ old: sql<string>`${column}` })
        .from(table)
        .where(and(isNotNull(column), isOutdated(column, vault.version), gt(column, last)))
        .orderBy(asc(column))
        .limit(PAGE_SIZE);
      const changes = page.flatMap(({ old }) => {
        const renewed = encryptAgain(vault, old);
        return renewed === null ? [] : [{ old, renewed }];
      });
      counted.changed += changes.length;
      counted.unreadable += page.length - changes.length;
      if (changes.length > 0) await store(db, { table, column }, changes);
      last = page.at(-1)?.old ?? '';
      if (page.length < PAGE_SIZE) break;
    }
  }
  return counted;
}

/** Whether a value was encrypted with another secret, see `addVersion`. */
function isOutdated(column: AnyPgColumn, version: string): SQL {
  return version === ''
    ? sql`position('.' in ${column}) > 0`
    : sql`not starts_with(${column}, ${`${version}.`})`;
}

function encryptAgain(vault: Vault, old: string): string | null {
  try {
    return vault.encrypt(vault.decrypt(old));
  } catch {
    return null;
  }
}

async function store(
  db: Database,
  { table, column }: { table: PgTable; column: AnyPgColumn },
  changes: { old: string; renewed: string }[],
): Promise<void> {
  await db.execute(sql`
    update ${table} set ${sql.identifier(column.name)} = changes.renewed
    from jsonb_to_recordset(${JSON.stringify(changes)}::text::jsonb) as changes (old text, renewed text)
    where ${eq(column, sql`changes.old`)}`);
}
