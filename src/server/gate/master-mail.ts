import { eq } from 'drizzle-orm';
import type { Database } from '#server/database/database.ts';
import { sailings, vessels, voyages } from '#server/database/schema/timetable.ts';
import { queueWrittenMail } from '#server/mail/outbox.ts';
import { peopleAboardContent } from '#server/mail/templates/people-aboard.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import { readBoat } from './read-boat.ts';

/**
 * Queues the number of people aboard for the boat's master, if the operator has given an address. Call it in the
 * transaction that counts, and `wakeMailWorker` after the commit.
 */
export async function queueMasterMail(tx: Database, sailingId: string, now: Date): Promise<void> {
  const [vessel] = await tx
    .select({ masterEmail: vessels.masterEmail })
    .from(sailings)
    .innerJoin(voyages, eq(voyages.id, sailings.voyageId))
    .innerJoin(vessels, eq(vessels.id, voyages.vesselId))
    .where(eq(sailings.id, sailingId));
  if (!vessel?.masterEmail) return;
  const settings = await loadWebSettings({ db: tx });
  const [sailing] = await readBoat(tx, sailingId, settings.language);
  const aboard = sailing?.people_aboard;
  if (!sailing || !aboard) return;
  const content = peopleAboardContent({ sailing, aboard }, settings);
  await queueWrittenMail(tx, { kind: 'people-aboard', to: vessel.masterEmail, content, now });
}
