import { and, eq, inArray } from 'drizzle-orm';
import type { BoatChangeInput, BoatChangeOutcome } from '#contract/desk/schemas.ts';
import { getClockTime, getLocalDay } from '#domain/time/port-time.ts';
import { findOfferedLanguage, type OfferedLanguage } from '#messages/languages.ts';
import { translationKey } from '#messages/translations.ts';
import type { AuditActor } from '#server/audit/record-audit.ts';
import type { CommandContext } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { sailingExceptions } from '#server/database/schema/exceptions.ts';
import { sailings, vessels } from '#server/database/schema/timetable.ts';
import { inPreview, inTransaction } from '#server/database/transactions.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import {
  type ExceptionInput,
  type Recorded,
  recordException,
  type Said,
  undoExceptions,
} from '#server/operations/change-sailings.ts';
import { VoyageNotFound } from '#server/operations/find-voyage.ts';
import { findZone, loadCatalogue } from '#server/sailings/queries.ts';
import { loadWebSettings } from '#server/settings/web-settings.ts';
import { type BoatRecord, findBoat } from './read-boats.ts';
import { readBoatOrders } from './read-orders.ts';

type Reading = { actor: AuditActor; language: string };
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
    return presentOutcome(tx, recorded, { ...reading, voyageIds: await findVoyages(tx, recorded.recorded) });
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
  { ids, ...reading }: Reading & { ids: readonly string[] },
): Promise<BoatChangeOutcome> {
  return inTransaction(context.db, async (tx) => {
    const fromStaff = await tx
      .select({ id: sailingExceptions.id })
      .from(sailingExceptions)
      .where(and(inArray(sailingExceptions.id, [...ids]), eq(sailingExceptions.source, 'staff')));
    if (fromStaff.length !== new Set(ids).size) throw notFound();
    const voyageIds = await findVoyages(tx, ids);
    const recorded = await refuseUnknown('not_found', () =>
      undoExceptions({ ...context, db: tx }, { ids, actor: reading.actor }),
    );
    return presentOutcome(tx, recorded, { ...reading, voyageIds });
  });
}

async function refuseUnknown<Result>(
  code: 'not_found' | 'boat_change_refused',
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof VoyageNotFound ? new ApiError(code) : error;
  }
}

async function describeInput(
  tx: Database,
  { voyage }: BoatRecord,
  { sailingId, change }: Pick<Change, 'sailingId' | 'change'>,
): Promise<ExceptionInput> {
  const { language } = await loadWebSettings({ db: tx });
  const said = describeTexts(change, findOfferedLanguage(language));
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

/** The text in the operator's language stands for all languages without one. */
function describeTexts({ reason, texts }: BoatChangeInput, operatorLanguage: OfferedLanguage | null): Said {
  const own = texts.find(({ language }) => language === operatorLanguage) ?? texts[0];
  const others = texts.filter((each) => each !== own);
  const key = (language: OfferedLanguage) => translationKey('text', language);
  return {
    reason,
    text: own?.text ?? '',
    translations: Object.fromEntries(others.map(({ language, text }) => [key(language), text])),
  };
}

/** The voyages that changes are about. */
async function findVoyages(tx: Database, changeIds: readonly string[]): Promise<string[]> {
  const rows = await tx
    .select({ voyageId: sailingExceptions.voyageId })
    .from(sailingExceptions)
    .where(inArray(sailingExceptions.id, [...changeIds]));
  return rows.flatMap(({ voyageId }) => voyageId ?? []);
}

async function presentOutcome(
  tx: Database,
  { recorded, sailings: changed, notified, underWay, doubleBookings = [] }: Recorded,
  { voyageIds, language }: Reading & { voyageIds: readonly string[] },
): Promise<BoatChangeOutcome> {
  const rows = await tx
    .select({ id: sailings.id })
    .from(sailings)
    .where(inArray(sailings.voyageId, [...voyageIds]));
  const orders = await readBoatOrders(tx, { sailingIds: rows.map(({ id }) => id), language });
  const waiting = orders.filter(({ outcome }) => outcome === 'waiting');
  const sumPaid = (list: typeof orders) => list.reduce((sum, { paid }) => sum + paid, 0);
  const { feed } = await loadCatalogue(tx);
  return {
    changes: recorded,
    ...{ sailings: changed, notified, orders },
    refunds: {
      without_offer: sumPaid(waiting.filter(({ offered }) => offered === null)),
      all: sumPaid(waiting),
    },
    currency: feed.currency,
    under_way: underWay.map(({ departsDay, departsLocal }) => ({
      departs_local: `${departsDay}T${departsLocal}`,
    })),
    double_bookings: doubleBookings.map(({ first }) => ({
      vessel: first[0].vesselName,
      departures: first.map(({ departure, line }) => `${departure} (${line})`),
    })),
  };
}
