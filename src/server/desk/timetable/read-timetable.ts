import { sql } from 'drizzle-orm';
import { FEED_ARCHIVE, PRICE_FILES } from '#contract/desk/timetable/limits.ts';
import type { PromoCodeUses, TimetableState } from '#contract/desk/timetable/schemas.ts';
import type { Context } from '#server/context.ts';
import { type Database, queryRows } from '#server/database/database.ts';
import { unzipFile } from '#server/sailings/feed/feed-files.ts';
import { FEED_TABLES } from '#server/sailings/feed/feed-tables.ts';
import { readStoredFeed } from '#server/sailings/import-timetable.ts';
import { loadCatalogue } from '#server/sailings/queries.ts';

export async function readTimetableState(db: Database): Promise<TimetableState> {
  const stored = await readStoredFeed(db);
  return { current: stored && { imported_at: stored.importedAt.toISOString(), until: stored.until } };
}

/**
 * fares.csv or promo_codes.csv as it was imported, or the whole feed as `timetable.zip`. A file that the feed does not
 * have has its columns.
 * @returns null without a feed, and for other names
 */
export async function readTimetableFile(db: Database, name: string): Promise<Buffer | null> {
  const stored = await readStoredFeed(db);
  if (!stored) return null;
  const archive = Buffer.from(stored.zip, 'base64');
  if (name === FEED_ARCHIVE) return archive;
  const file = PRICE_FILES.find((each) => each === name);
  if (file === undefined) return null;
  const contents = unzipFile(archive, file);
  if (contents) return Buffer.from(contents);
  const { required, optional } = FEED_TABLES[file];
  return Buffer.from(`${[...required, ...optional].join(',')}\n`);
}

type PromoRow = Omit<PromoCodeUses['promo_codes'][number], 'kind'> & {
  kind: 'percent_bp' | 'amount';
  /** Not read by the driver as numbers. */
  discount: string;
  revenue: string;
};

/** Promo codes, those that can be used first, with the paid orders that used them in the feed's currency. */
export async function listPromoCodeUses({
  db,
  clock,
}: Pick<Context, 'db' | 'clock'>): Promise<PromoCodeUses> {
  const { feed } = await loadCatalogue(db);
  const rows = await queryRows<PromoRow>(
    db,
    sql`
    select p.code, p.kind, p.value, p.starts_on::text, p.ends_on::text, p.max_redemptions,
      p.active and (p.ends_on is null or p.ends_on >= (${clock.now().toISOString()}::timestamptz at time zone ${feed.timeZone})::date)
        as is_active,
      coalesce(o.orders, 0)::int as orders, coalesce(o.discount, 0)::text as discount,
      coalesce(o.revenue, 0)::text as revenue
    from promo_codes p
    left join (
      select promo_code, count(*) as orders, sum(discount) as discount, sum(paid - refunded) as revenue
      from orders
      where promo_code is not null and confirmed_at is not null and currency = ${feed.currency}
      group by promo_code) o on o.promo_code = p.code
    order by is_active desc, p.code`,
  );
  return {
    currency: feed.currency,
    promo_codes: rows.map(({ kind, discount, revenue, ...row }) => ({
      ...row,
      kind: kind === 'percent_bp' ? 'percent' : 'amount',
      ...{ discount: Number(discount), revenue: Number(revenue) },
    })),
  };
}
