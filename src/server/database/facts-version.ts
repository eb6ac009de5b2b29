import { type Placeholder, type SQL, sql } from 'drizzle-orm';
import { jsonElements } from './json-elements.ts';
import { feed, promoCodes, sailings, voyages } from './schema/timetable.ts';

/** The facts of a sailing's price as a process knows them. */
export type KnownFacts = { id: string; code: string | null; version: string };

/**
 * A column of a query on sailings, voyages, the feed and promo codes, which differs after any change that concerns a price.
 * `xmin` is the transaction that wrote a row. Each use of a promo code writes its row, so its terms are compared instead.
 */
export const factsVersion = sql<string>`row(
  ${sailings}.xmin, ${voyages}.xmin, ${feed.revision}, ${promoCodes.id}, ${promoCodes.kind}, ${promoCodes.value},
  ${promoCodes.routeCodes}, ${promoCodes.startsOn}, ${promoCodes.endsOn},
  ${promoCodes.redeemed} >= ${promoCodes.maxRedemptions}
)::text`;

/** The value for `changedFacts`: the facts that each item of a statement relies on. */
export function encodeFacts(ofItems: readonly (readonly KnownFacts[])[]): string {
  return JSON.stringify(ofItems.flatMap((facts, item) => facts.map((each) => ({ item, ...each }))));
}

/**
 * The items whose facts have changed, as a relation with the column `item`.
 * @param known what `encodeFacts` returns
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
