import { sql } from 'drizzle-orm';
import { getBreakage, type PassValue } from '#domain/accounting/breakage.ts';
import type { Context } from '../context.ts';
import { type Database, queryRows } from '../database/database.ts';
import { breakageEntries } from '../database/schema/accounting.ts';
import { inTransaction } from '../database/transactions.ts';
import { loadWebSettings } from '../settings/web-settings.ts';

/** The expected percentage of unused trips if the settings have none. */
const EXPECTED_PERCENT = 10;

type BookedPass = PassValue & { id: string; currency: string; bookedTrips: number; bookedAmount: number };

/**
 * Books what has changed in what passes have become revenue without being used. An entry counts when it is booked, so that
 * closed months stay; a renewal takes it back. Does nothing by the rule `never`.
 * @returns how many entries were booked
 */
export async function bookBreakage(context: Pick<Context, 'db' | 'clock'>): Promise<number> {
  const { stored_value: { breakage: rule = 'never', breakage_percent: percent = EXPECTED_PERCENT } = {} } =
    await loadWebSettings(context);
  if (rule === 'never') return 0;
  return inTransaction(context.db, async (tx) => {
    // One process at a time, because two would book the same difference.
    await tx.execute(sql`lock table breakage_entries in share row exclusive mode`);
    const now = context.clock.now();
    const entries = (await listPasses(tx, now)).flatMap((pass) => {
      const target = getBreakage(pass, { rule, percent });
      const [trips, amount] = [target.trips - pass.bookedTrips, target.amount - pass.bookedAmount];
      if (trips === 0 && amount === 0) return [];
      return [{ tripCardId: pass.id, trips, amount, currency: pass.currency, bookedAt: now }];
    });
    for (let at = 0; at < entries.length; at += BATCH) {
      await tx.insert(breakageEntries).values(entries.slice(at, at + BATCH));
    }
    return entries.length;
  });
}

/** Rows of one insert. */
const BATCH = 1000;

/** All passes; a lost one together with the cards that replaced it, under the first one's id. */
function listPasses(tx: Database, now: Date): Promise<BookedPass[]> {
  return queryRows<BookedPass>(
    tx,
    sql`
      with recursive chain as (
        select id as root, id, replaced_by_card_id, 0 as step
        from trip_cards where unit = 'trips' and replaces_card_id is null
        union all
        select chain.root, c.id, c.replaced_by_card_id, chain.step + 1 from trip_cards c join chain on c.id = chain.replaced_by_card_id
      ),
      money as (
        select t.trip_card_id, m.amount as paid, 0 as spent
        from money_entries m join top_ups t on t.id = m.top_up_id
        union all
        select p.trip_card_id, 0, m.amount from money_entries m join payments p on p.id = m.payment_id
        where m.method = 'pass'
        union all
        select f.trip_card_id, 0, m.amount from money_entries m join refunds f on f.id = m.refund_id
        where m.method = 'pass'
        union all
        select trip_card_id, 0, amount from breakage_entries where account = 'corrections'
      ),
      value as (
        select chain.root, sum(paid) as paid, sum(spent) as spent
        from chain join money on money.trip_card_id = chain.id group by chain.root
      ),
      moves as (
        -- What a dispute or the return of a sale takes off is not bought.
        select chain.root, step, seq, kind,
          case when kind = 'top_up' or (kind = 'adjustment' and top_up_id is not null) then amount else 0 end as bought,
          case when kind in ('fare', 'refund_in') then -amount else 0 end as used
        from chain join trip_card_entries e on e.trip_card_id = chain.id
      ),
      -- "beyond": used before a purchase and not bought until then, so that the price of the purchase is not for them.
      totals as (
        select *, sum(used - bought) over (
          partition by root order by step, seq rows between unbounded preceding and 1 preceding
        ) as beyond
        from moves
      ),
      trips as (
        select root, sum(bought) as bought,
          sum(used) - greatest(0, max(beyond) filter (where kind = 'top_up')) as used
        from totals group by root
      ),
      booked as (
        select trip_card_id, sum(trips) as trips, sum(amount) as amount
        from breakage_entries where account = 'breakage' group by trip_card_id
      )
      select chain.root as id, c.currency, coalesce(c.expires_at <= ${now.toISOString()}::timestamptz, false) as "isOver",
        coalesce(v.paid, 0)::float8 as paid, coalesce(v.spent, 0)::float8 as spent,
        coalesce(t.bought, 0)::float8 as "boughtTrips", coalesce(t.used, 0)::float8 as "usedTrips",
        c.balance::float8 as "unusedTrips", coalesce(b.trips, 0)::float8 as "bookedTrips",
        coalesce(b.amount, 0)::float8 as "bookedAmount"
      from chain
      join trip_cards c on c.id = chain.id and c.replaced_by_card_id is null
      left join value v on v.root = chain.root
      left join trips t on t.root = chain.root
      left join booked b on b.trip_card_id = chain.root
      order by chain.root
    `,
  );
}

/** Registers the job that books it every hour, and so on the day on which a pass ends. */
export async function registerBreakageJobs(context: Context): Promise<void> {
  await context.jobs.work('book-breakage', async () => {
    await bookBreakage(context);
  });
  await context.jobs.schedule('book-breakage', '3 * * * *');
}
