import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';

/** The same as `foldText` in `src/domain`. */
export function foldText(text: SQLWrapper): SQL {
  return sql`lower(regexp_replace(normalize(${text}, nfd), '[\\u0300-\\u036f]', '', 'g'))`;
}

export function foldCode(code: SQLWrapper): SQL {
  return sql`regexp_replace(${foldText(code)}, '[^[:alnum:]]', '', 'g')`;
}

type SearchedColumns = Record<
  'reference' | 'contactName' | 'contactEmail' | 'contactPhone' | 'travelerNames' | 'plate',
  SQLWrapper
>;

/**
 * By what staff find an order, each by its beginning: words of names, the mail address, reference and license plate as
 * letters and digits, and after a plus sign the telephone number from its end, because callers leave out the beginning.
 */
export function searchVector(order: SearchedColumns): SQL {
  const names = sql`${order.contactName} || ' ' || ${order.travelerNames}::text`;
  const mail = sql`lower(${order.contactEmail})`;
  const plate = foldCode(sql`coalesce(${order.plate}, '')`);
  const phone = sql`'+' || reverse(regexp_replace(${order.contactPhone}, '[^0-9]', '', 'g'))`;
  return sql`array_to_tsvector(array_remove(regexp_split_to_array(${foldText(names)}, '[][ ",.''’()/-]+') || array[${mail}, ${foldCode(order.reference)}, ${plate}, ${phone}], ''))`;
}
