import { desc, eq } from 'drizzle-orm';
import type { BoatChange, BoatDetails } from '#contract/desk/schemas.ts';
import { findOfferedLanguage } from '#messages/languages.ts';
import { translateTexts } from '#messages/translations.ts';
import { listHeldBackPlaces, presentHeldBack } from '#server/capacity/held-back.ts';
import type { Database } from '#server/database/database.ts';
import { sailingExceptions } from '#server/database/schema/exceptions.ts';
import { vessels } from '#server/database/schema/timetable.ts';
import { inSnapshot } from '#server/database/transactions.ts';
import { notFound } from '#server/http/api-error.ts';
import { ASSUMED_VESSEL } from '#server/sailings/feed/departures.ts';
import { loadCatalogue } from '#server/sailings/queries.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import { findBoat, presentBoat } from './read-boats.ts';
import { type ReadContext, readBoatOrders, readUnpaidOrders } from './read-orders.ts';

type Reading = { sailingId: string; language: string };

/**
 * A boat with what was decided about it and the orders on it.
 * @throws {ApiError} not_found
 */
export async function readBoatDetails(
  context: ReadContext,
  { sailingId, language }: Reading,
): Promise<BoatDetails> {
  const { db, clock } = context;
  const catalogue = await loadCatalogue(db);
  const operator = await loadWebSettings({ db });
  return inSnapshot(db, async (tx) => {
    const boat = await findBoat(tx, sailingId);
    if (!boat) throw notFound();
    return {
      boat: await presentBoat(tx, boat, language),
      held_back: (await listHeldBackPlaces(tx, boat)).map(presentHeldBack),
      changes: await listChanges(tx, { voyageId: boat.voyage.id, language }),
      orders: await readBoatOrders({ ...context, db: tx }, { sailingIds: boat.sailingIds, language }),
      unpaid: await readUnpaidOrders(tx, { sailingIds: boat.sailingIds, now: clock.now() }),
      vessels: catalogue.vessels
        .filter(({ code }) => !code.startsWith(ASSUMED_VESSEL))
        .map((vessel) => ({ code: vessel.code, name: translateTexts(vessel, language).name })),
      currency: catalogue.feed.currency,
      language: findOfferedLanguage(operator.language),
      as_of: clock.now().toISOString(),
    };
  });
}

/** The latest first. */
async function listChanges(
  tx: Database,
  { voyageId, language }: { voyageId: string; language: string },
): Promise<BoatChange[]> {
  const rows = await tx
    .select({ change: sailingExceptions, vessel: vessels })
    .from(sailingExceptions)
    .leftJoin(vessels, eq(vessels.id, sailingExceptions.vesselId))
    .where(eq(sailingExceptions.voyageId, voyageId))
    .orderBy(desc(sailingExceptions.insertedAt));
  return rows.map(({ change, vessel }) => ({
    ...{ id: change.id, kind: change.kind, source: change.source, reason: change.reason },
    text: translateTexts(change, language).text,
    minutes: change.minutes,
    vessel: vessel && translateTexts(vessel, language).name,
    at: change.insertedAt.toISOString(),
  }));
}
