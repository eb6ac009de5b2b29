import { sql } from 'drizzle-orm';
import type { RetentionRule } from '../retention.ts';

/**
 * Deletes the details of travelers some hours after the arrival of their last sailing, and those of canceled tickets and
 * orders.
 */
export const deleteOldTravelerDetails: RetentionRule = async (db, now, { passengerListHours }) => {
  const end = new Date(now.getTime() - passengerListHours * 3_600_000).toISOString();
  await db.execute(sql`
    delete from passenger_details d where not exists (
      select from orders o where o.id = d.order_id and o.status in ('held', 'awaiting_payment')
    ) and not exists (
      select from tickets t join sailings s on s.id = t.sailing_id
      where t.order_id = d.order_id and t.party_index = d.traveler and t.kind = 'passenger'
        and t.status not in ('canceled', 'replaced')
        and s.arrives_at + s.delay_minutes * interval '1 minute' >= ${end}::timestamptz)`);
};
