import { and, eq, inArray, or, sql } from 'drizzle-orm';
import type { BoatChangeInput, BoatChangeOutcome } from '#contract/desk/schemas.ts';
import type { OfferedLanguage } from '#messages/languages.ts';
import { translationKey } from '#messages/translations.ts';
import type { AuditActor } from '#server/audit/record-audit.ts';
import type { Database } from '#server/database/database.ts';
import { sailingExceptions } from '#server/database/schema/exceptions.ts';
import { routes, sailings, voyages } from '#server/database/schema/timetable.ts';
import { ApiError } from '#server/http/api-error.ts';
import type { Recorded, Said } from '#server/operations/change-sailings.ts';
import { VoyageNotFound } from '#server/operations/find-voyage.ts';
import { loadCatalogue } from '#server/sailings/queries.ts';
import { type ReadContext, readBoatOrders } from './read-orders.ts';

/** Who changes boats, and the language in which they read what it does. */
export type Reading = { actor: AuditActor; language: string };

/** Does what a command does, with an error code in place of the command's text. */
export async function refuseUnknown<Result>(
  code: 'not_found' | 'boat_change_refused',
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof VoyageNotFound ? new ApiError(code) : error;
  }
}

/** The text in the operator's language stands for all languages without one. */
export function describeSaid(
  { reason, texts }: Pick<BoatChangeInput, 'reason' | 'texts'>,
  operatorLanguage: OfferedLanguage | null,
): Said {
  const own = texts.find(({ language }) => language === operatorLanguage) ?? texts[0];
  const others = texts.filter((each) => each !== own);
  const key = (language: OfferedLanguage) => translationKey('text', language);
  return {
    reason,
    text: own?.text ?? '',
    translations: Object.fromEntries(others.map(({ language, text }) => [key(language), text])),
  };
}

/** The sailings that changes are about: of the voyage that is named, or all from and to a closed port. */
export async function findSailings(tx: Database, changeIds: readonly string[]): Promise<string[]> {
  const { voyageId, kind, portId, fromDay, untilDay } = sailingExceptions;
  const isOfClosedPort = and(
    eq(kind, 'port_closed'),
    or(eq(routes.originPortId, portId), eq(routes.destinationPortId, portId)),
    sql`${voyages.serviceDate} between ${fromDay} and ${untilDay}`,
  );
  const rows = await tx
    .selectDistinct({ id: sailings.id })
    .from(sailings)
    .innerJoin(routes, eq(routes.id, sailings.routeId))
    .innerJoin(voyages, eq(voyages.id, sailings.voyageId))
    .innerJoin(sailingExceptions, or(eq(voyageId, sailings.voyageId), isOfClosedPort))
    .where(inArray(sailingExceptions.id, [...changeIds]));
  return rows.map(({ id }) => id);
}

/** What a change of boats did, with the orders on them. */
export async function presentOutcome(
  context: ReadContext,
  { recorded, sailings: changed, notices, underWay, doubleBookings = [] }: Recorded,
  { sailingIds, language }: Pick<Reading, 'language'> & { sailingIds: readonly string[] },
): Promise<BoatChangeOutcome> {
  const orders = await readBoatOrders(context, { sailingIds, language });
  const waiting = orders.filter(({ outcome }) => outcome === 'waiting');
  const sumPaid = (list: typeof orders) => list.reduce((sum, { paid }) => sum + paid, 0);
  const { feed } = await loadCatalogue(context.db);
  return {
    changes: recorded,
    ...{ sailings: changed, orders },
    ...{ notified: notices.notified, unpaid_notified: notices.unpaidNotified },
    unreachable: notices.unreachable.map(({ reference, contactName, contactPhone }) => ({
      ...{ reference, contact_name: contactName, phone: contactPhone },
    })),
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
