import { sql } from 'drizzle-orm';
import { type Database, queryRows } from '../database/database.ts';
import { changePlaces, IS_TAKEN, type Places, requestedRows, takeAllOrNone } from './places.ts';
import { COUNT_SELLABLE_AT_RAMP } from './sale-conditions.ts';

/** Puts sold places back on sale. The transaction takes them from the lines that had them. */
export async function returnSoldPlaces(tx: Database, places: readonly Places[]): Promise<void> {
  if (places.length > 0) {
    await tx.execute(changePlaces(sql`(${requestedRows(places)})`, sql`sold = c.sold - g.amount`));
  }
}

/**
 * Takes places for tickets of a boat at its gate, as the ramp sells them, also of a sailing that is not on sale anymore.
 * @returns false, with nothing changed, if not all are free
 */
export async function takeSoldPlaces(tx: Database, places: readonly Places[]): Promise<boolean> {
  const [outcome] = await queryRows<{ taken: boolean }>(
    tx,
    sql`
      with requested as materialized (${requestedRows(places)}),
      ${takeAllOrNone({ column: 'sold', isAllowed: sql`true`, sellable: COUNT_SELLABLE_AT_RAMP })}
      select ${IS_TAKEN} as taken
    `,
  );
  return outcome?.taken === true;
}
