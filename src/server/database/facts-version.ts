import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { jsonElements } from './json-elements.ts';
import { feed, promoCodes, sailings, voyages } from './schema/timetable.ts';

/** The facts of a sailing's price as a process knows them; `item` is the party of a statement that they are for. */
export type KnownFacts = { item: number; id: string; code: string | null; version: string };

/**
 * A column of a query on sailings, voyages, the feed and promo codes, which differs after any change that concerns a price.
 * `xmin` is the transaction that wrote a row. Each use of a promo code writes its row, so its terms are compared instead.
 */
export const factsVersion = sql<string>`row(
  ${sailings}.xmin, ${voyages}.xmin, ${feed.revision}, ${promoCodes.id}, ${promoCodes.kind}, ${promoCodes.value},
  ${promoCodes.routeCodes}, ${promoCodes.startsOn}, ${promoCodes.endsOn},
  ${promoCodes.redeemed} >= ${promoCodes.maxRedemptions}
)::text`;

/**
 * The items whose facts have changed, as a relation with the column `item`.
 * @param known a JSON array of `KnownFacts`
 */
export function changedFacts(known: Placeholder): SQL {
  return sql`
    select (w.item ->> 'item')::int as item
    from ${jsonElements(known)} as w (item)
    join ${sailings} on ${sailings.id} = w.item ->> 'id'
    join ${voyages} on ${voyages.id} = ${sailings.voyageId}
    cross join ${feed}
    left join lateral (
      select * from ${promoCodes}
      where ${promoCodes.code} = w.item ->> 'code' and ${promoCodes.active} offset 0
    ) ${promoCodes} on true
    where w.item ->> 'version' <> ${factsVersion}
  `;
}
