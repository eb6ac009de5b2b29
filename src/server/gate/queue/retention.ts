import { and, lt, sql } from 'drizzle-orm';
import { queueEntries } from '#server/database/schema/gate.ts';
import { daysBefore, type RetentionRule } from '#server/retention.ts';

/** Empties how parties of the queue are recognized, two days later; how many waited stays for the operator's reports. */
export const eraseQueueContacts: RetentionRule = async (db, now) => {
  const hasContact = sql`(plate is not null or label <> '' or phone <> '')`;
  await db
    .update(queueEntries)
    .set({ plate: null, label: '', phone: '' })
    .where(and(hasContact, lt(queueEntries.insertedAt, daysBefore(now, 2))));
};
