import { DIFFERENCE_LINES } from '#contract/desk/timetable/limits.ts';
import type { TimetableDifference } from '#contract/desk/timetable/schemas.ts';
import { readLocalTime } from '#domain/format/dates.ts';
import type { NoticeReport } from '#server/sailings/notices/notice-report.ts';
import { needsConfirmation } from '#server/sailings/preview/check-import.ts';
import type { DatedPrice } from '#server/sailings/preview/compare-fares.ts';
import type { DatedShare } from '#server/sailings/preview/compare-taxes.ts';
import type { ImportPreview } from '#server/sailings/preview/preview-import.ts';
import type { SoldSailing } from '#server/sailings/preview/sold-sailings.ts';
import type { MovedSailing } from '#server/sailings/preview/survey-sailings.ts';

/**
 * A preview for the staff host.
 * @param revision of the timetable that it was compared with; null: there is none
 */
export function presentDifference(preview: ImportPreview, revision: string | null): TimetableDifference {
  const { sailings, days, fares, taxes, risk, digest, upload } = preview;
  const { added, gone, retimed, otherwiseChanged, unchanged, canceled, moved } = sailings;
  return {
    checked: { revision, digest, affected: risk.affected },
    files: upload?.changes ?? [],
    kept_files: upload?.kept ?? 0,
    until: preview.until,
    sailings: { added, gone, moved: retimed, otherwise_changed: otherwiseChanged, unchanged },
    days: days
      .slice(0, DIFFERENCE_LINES)
      .map(({ retimed: movedOnDay, ...day }) => ({ ...day, moved: movedOnDay })),
    day_count: days.length,
    canceled: countSold(canceled),
    moved: countSold(moved),
    ...countNotices(preview.notices),
    sold_sailings: [...canceled, ...moved].slice(0, DIFFERENCE_LINES).map(presentSold),
    needs_confirmation: needsConfirmation(risk),
    currency: preview.currency,
    fares: {
      ...{ added: fares.added, removed: fares.removed, changed: fares.changed },
      list: fares.list.slice(0, DIFFERENCE_LINES).map(({ route, fareClass, what, before, after }) => ({
        ...{ route, fare_class: fareClass, what },
        ...{ before: before.map(presentPrice), after: after.map(presentPrice) },
      })),
    },
    taxes: {
      count: taxes.length,
      list: taxes.slice(0, DIFFERENCE_LINES).map(({ before, after, ...what }) => ({
        ...{ ...what, before: before.map(presentShare), after: after.map(presentShare) },
      })),
    },
    promo_codes: preview.promoCodes,
    notes: listNotes(preview),
  };
}

/** Without names: not all who change the timetable may see orders. */
export function countNotices({ notified, unpaidNotified, unreachable }: NoticeReport) {
  return { notified, unpaid_notified: unpaidNotified, unreachable: unreachable.length };
}

function countSold(sold: readonly SoldSailing[]): TimetableDifference['canceled'] {
  const tickets = sold.reduce((sum, sailing) => sum + sailing.tickets, 0);
  return { sailings: sold.length, tickets, orders: countOrders(sold) };
}

function countOrders(sold: readonly SoldSailing[]): number {
  return new Set(sold.flatMap(({ orderIds }) => orderIds)).size;
}

function presentSold(sailing: SoldSailing | MovedSailing): TimetableDifference['sold_sailings'][number] {
  const { route, departsAt, timeZone, tickets, orderIds } = sailing;
  const readClock = (instant: Date) => readLocalTime(instant.getTime(), timeZone);
  return {
    ...{ route, tickets, orders: orderIds.length },
    departs_local: readClock(departsAt),
    new_departs_local: 'newDepartsAt' in sailing ? readClock(sailing.newDepartsAt) : null,
  };
}

function presentPrice({ amount, validFrom, validUntil, weekdays }: DatedPrice) {
  return { amount, valid_from: validFrom, valid_until: validUntil, weekdays };
}

function presentShare({ shareBp, taxBp, name, validFrom, validUntil }: DatedShare) {
  return { share_bp: shareBp, tax_bp: taxBp, name, valid_from: validFrom, valid_until: validUntil };
}

function listNotes({ unsoldPairs, unreachedPorts, risk, skipped, upload }: ImportPreview): string[] {
  const unread = upload?.unread ?? [];
  return [
    ...(risk.noService === null ? [] : [risk.noService]),
    ...unsoldPairs.map(({ route, reason }) => `Not sold: ${route}, ${reason}.`),
    ...unreachedPorts.map((name) => `Cannot be reached: ${name}.`),
    ...(unread.length === 0 ? [] : [`Not read: files ${unread.join(', ')}.`]),
    ...skipped,
  ];
}
