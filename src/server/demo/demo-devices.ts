import { sql } from 'drizzle-orm';
import type { Database } from '../database/database.ts';

/** Revokes the gates' devices that the demo's staff, whose passwords are public, have added. */
export async function revokeDemoDevices(tx: Database, now: Date): Promise<void> {
  await tx.execute(sql`
    update gate_devices set revoked_at = ${now.toISOString()}::timestamptz, key_hash = null, pairing_hash = null
    where revoked_at is null and id in (
      select object_id from audit_log
      where action = 'gate_device_added' and actor_id in (select id from staff_members where is_demo))`);
}
