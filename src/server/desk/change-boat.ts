import { and, eq, inArray } from 'drizzle-orm';
import type { BoatChangeInput, BoatChangeOutcome } from '#contract/desk/schemas.ts';
import { getClockTime, getLocalDay } from '#domain/time/port-time.ts';
import { findOfferedLanguage } from '#messages/languages.ts';
import type { CommandContext } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { sailingExceptions } from '#server/database/schema/exceptions.ts';
import { vessels } from '#server/database/schema/timetable.ts';
import { inPreview, inTransaction } from '#server/database/transactions.ts';
import { notFound } from '#server/http/api-error.ts';
import { type ExceptionInput, recordException, undoExceptions } from '#server/operations/change-sailings.ts';
import { findZone, loadCatalogue } from '#server/sailings/queries.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import { describeSaid, findSailings, presentOutcome, type Reading, refuseUnknown } from './boat-outcome.ts';
import { type BoatRecord, findBoat } from './read-boats.ts';

type EndedChanges = Reading & { ids: readonly string[] };
type Change = Reading & { sailingId: string; change: BoatChangeInput };

/**
 * Changes a boat as the command `npm run sailings` does.
 * @throws {ApiError} `not_found`; `boat_change_refused` if the timetable does not allow it
 */
export async function changeBoat(
  context: CommandContext,
  { sailingId, change, ...reading }: Change,
): Promise<BoatChangeOutcome> {
  return inTransaction(context.db, async (tx) => {
    const boat = await findBoat(tx, sailingId);
    if (!boat) throw notFound();
    const input = await describeInput(tx, boat, { sailingId, change });
    const recorded = await refuseUnknown('boat_change_refused', () =>
      recordException({ ...context, db: tx }, { ...input, actor: reading.actor }),
    );
    return presentOutcome({ ...context, db: tx }, recorded, {
      ...reading,
      sailingIds: await findSailings(tx, recorded.recorded),
    });
  });
}

/** Tells what a change would do: makes it, and takes the transaction back. */
export async function previewBoatChange(context: CommandContext, change: Change): Promise<BoatChangeOutcome> {
  const outcome = await inPreview(context.db, (tx) => changeBoat({ ...context, db: tx }, change));
  return { ...outcome, changes: [] };
}

/**
 * Ends changes that staff made.
 * @throws {ApiError} `not_found` if one of them has ended already, or did not come from staff
 */
export async function undoBoatChanges(
  context: CommandContext,
  { ids, ...reading }: EndedChanges,
): Promise<BoatChangeOutcome> {
  return inTransaction(context.db, async (tx) => {
    const fromStaff = await tx
      .select({ id: sailingExceptions.id })
      .from(sailingExceptions)
      .where(and(inArray(sailingExceptions.id, [...ids]), eq(sailingExceptions.source, 'staff')));
    if (fromStaff.length !== new Set(ids).size) throw notFound();
    const sailingIds = await findSailings(tx, ids);
    const recorded = await refuseUnknown('not_found', () =>
      undoExceptions({ ...context, db: tx }, { ids, actor: reading.actor }),
    );
    return presentOutcome({ ...context, db: tx }, recorded, { ...reading, sailingIds });
  });
}

/** Tells what ending changes would do: ends them, and takes the transaction back. */
export async function previewUndoBoatChanges(
  context: CommandContext,
  changes: EndedChanges,
): Promise<BoatChangeOutcome> {
  const outcome = await inPreview(context.db, (tx) => undoBoatChanges({ ...context, db: tx }, changes));
  return { ...outcome, changes: [] };
}

async function describeInput(
  tx: Database,
  { voyage }: BoatRecord,
  { sailingId, change }: Pick<Change, 'sailingId' | 'change'>,
): Promise<ExceptionInput> {
  const { language } = await loadWebSettings({ db: tx });
  const said = describeSaid(change, findOfferedLanguage(language));
  if (change.kind === 'extra') {
    return {
      ...{ kind: 'extra', voyage: { sailingId }, day: null, time: change.time, vessel: change.vessel },
      ...said,
    };
  }
  const minutes = change.kind === 'delayed' ? change.minutes : 0;
  const vessel = change.kind === 'vessel' ? change.vessel : null;
  if (change.scope === 'boat')
    return { kind: change.kind, sailings: { sailingId }, minutes, vessel, ...said };
  const [runs] = await tx.select({ code: vessels.code }).from(vessels).where(eq(vessels.id, voyage.vesselId));
  const [first] = voyage.stops;
  const starts = Date.parse(first?.departs_at ?? '');
  const zone = findZone(await loadCatalogue(tx), first?.port_id);
  const sailings = {
    boat: runs?.code ?? '',
    from: getLocalDay(starts, zone),
    time: getClockTime(starts, zone),
    until: voyage.serviceDate,
  };
  return { kind: change.kind, sailings, minutes, vessel, ...said };
}
