import { sql } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { queryRows } from '../database/database.ts';
import { inTransaction } from '../database/transactions.ts';
import { revokeDemoDevices } from './demo-devices.ts';

/** The command that removes the demo's data. */
const COMMAND = 'npm run demo:remove';

/**
 * Closes the demo where real money is taken: ends the sessions of the demo's customer and staff, revokes the devices they paired, freezes the demo's trip cards and takes
 * them off every account, and logs that the demo's data is still there. `openSession` and
 * `startStaffSession` refuse to sign them in. Safe to repeat.
 */
export async function closeDemo({ db, clock, log }: Pick<Context, 'db' | 'clock' | 'log'>): Promise<void> {
  const now = sql`${clock.now().toISOString()}::timestamptz`;
  const counts = await inTransaction(db, async (tx) => {
    await revokeDemoDevices(tx, clock.now());
    await tx.execute(sql`
      update sessions set revoked_at = ${now}
      where revoked_at is null and customer_id in (select id from customers where is_demo)`);
    await tx.execute(sql`
      update staff_sessions set revoked_at = ${now}
      where revoked_at is null and staff_id in (select id from staff_members where is_demo)`);
    await tx.execute(sql`
      update trip_cards set is_demo = true
      where not is_demo and customer_id in (select id from customers where is_demo)`);
    await tx.execute(sql`
      update trip_card_shares set status = 'revoked', updated_at = ${now}
      where status <> 'revoked' and trip_card_id in (select id from trip_cards where is_demo)`);
    await tx.execute(
      sql`delete from auto_top_ups where trip_card_id in (select id from trip_cards where is_demo)`,
    );
    await tx.execute(sql`
      insert into trip_card_blocks (trip_card_id, from_at)
      select id, ${now} from trip_cards where is_demo and status = 'active'`);
    await tx.execute(sql`
      update trip_cards set customer_id = null, version = version + 1, updated_at = ${now},
        status = case when status = 'active' then 'frozen' else status end
      where is_demo and (customer_id is not null or status = 'active')`);
    const [counts] = await queryRows<{ customers: number; cards: number; staff: number }>(
      tx,
      sql`
        select (select count(*) from customers where is_demo)::int as customers,
          (select count(*) from trip_cards where is_demo)::int as cards,
          (select count(*) from staff_members where is_demo)::int as staff`,
    );
    return counts;
  });
  if (!counts || counts.customers + counts.cards + counts.staff === 0) return;
  const { customers, cards, staff } = counts;
  log.warn('demo data is present and closed; remove it', {
    command: COMMAND,
    customers,
    trip_cards: cards,
    staff,
  });
}
