import { type SQL, sql } from 'drizzle-orm';
import { parseStaffSearch } from '#domain/orders/staff-search.ts';
import { type Database, queryRows } from '#server/database/database.ts';
import { receipts } from '#server/database/schema/accounting.ts';
import { foldCode, searchVector } from '#server/database/schema/order-search.ts';
import { orderLines, orders, payments, tickets } from '#server/database/schema/sales.ts';
import { tripCards } from '#server/database/schema/trip-cards.ts';

/** Of each index, so that a common word does not read the whole table. A search that finds more has to be longer anyway. */
const MAX_MATCHES = 5000;

/**
 * The ids of at most `limit` orders that match, the latest first; none for a search that is too short. Of thousands that match,
 * any.
 */
export async function findOrderIds(
  db: Database,
  { search, limit }: { search: string; limit: number },
): Promise<string[]> {
  const parsed = parseStaffSearch(search);
  if (parsed === null) return [];
  const { alternatives, code, lastFour, tripCardNumber, boardingCode, receiptNumber } = parsed;
  const query = alternatives.map((words) => `(${words.map(quotePrefix).join(' & ')})`).join(' | ');
  const conditions = [
    sql`${searchVector(orders)} @@ ${query}::tsquery`,
    ...(code === null ? [] : [hasOrder(sql`${orderLines} where ${foldCode(orderLines.plate)} = ${code}`)]),
    ...(lastFour === null ? [] : [hasOrder(sql`${payments} where ${payments.cardLastFour} = ${lastFour}`)]),
    ...(tripCardNumber === null ? [] : [hasOrder(paidByTripCard(tripCardNumber))]),
    ...(boardingCode === null
      ? []
      : [hasOrder(sql`${tickets} where ${tickets.boardingCode} = ${boardingCode}`)]),
    ...(receiptNumber === null
      ? []
      : [hasOrder(sql`${receipts} where ${receipts.number} = ${receiptNumber}`)]),
  ];
  // Each alone has an index.
  const parts = conditions.map(
    (condition) => sql`(select ${orders.id} as id, ${orders.insertedAt} as at from ${orders}
      where ${condition} limit ${MAX_MATCHES})`,
  );
  const rows = await queryRows<{ id: string }>(
    db,
    sql`select id from (${sql.join(parts, sql` union `)}) found order by at desc, id limit ${limit}`,
  );
  return rows.map(({ id }) => id);
}

function hasOrder(rows: SQL): SQL {
  return sql`${orders.id} in (select order_id from ${rows})`;
}

function paidByTripCard(number: string): SQL {
  return sql`${payments} join ${tripCards} on ${tripCards.id} = ${payments.tripCardId}
    where ${tripCards.number} = ${number}`;
}

/** A quoted beginning of a word in the language of `tsquery`. */
function quotePrefix(word: string): string {
  return `'${word.replace(/['\\]/g, '$&$&')}':*`;
}
