import type { ServiceNotice } from '#contract/catalogue/schemas.ts';
import { translateTexts } from '#messages/translations.ts';
import { describeNotice } from '#sentences/exceptions.ts';
import { textsIn } from '#server/core/texts.ts';
import type { Database } from '#server/database/database.ts';
import type { CatalogueRecord } from '../queries.ts';
import type { ExceptionRow } from './match-exception.ts';
import { listExceptions } from './store-exceptions.ts';

/** Whether it is about a whole port or line, or all sailings, and not about single departures. */
function isServiceNotice({ kind, tripKey, voyageId, departsLocal }: ExceptionRow): boolean {
  const isAboutDeparture = tripKey !== null || voyageId !== null || departsLocal !== null;
  return !isAboutDeparture && (kind === 'port_closed' || kind === 'notice');
}

/** The exceptions of a day that are about ports, lines or all sailings; the latest first. */
export async function loadServiceNotices(db: Database, day: string): Promise<ExceptionRow[]> {
  const exceptions = await listExceptions(db, { from: day, until: day });
  return exceptions
    .filter(isServiceNotice)
    .toSorted((a, b) => b.insertedAt.getTime() - a.insertedAt.getTime());
}

/** Notices in a language, each once and with the name of its port or line. The catalogue is in that language. */
export function presentServiceNotices(
  rows: readonly ExceptionRow[],
  { ports, routes }: Pick<CatalogueRecord, 'ports' | 'routes'>,
  language: string,
): ServiceNotice[] {
  const t = textsIn(language);
  const notices = rows.map((row) => {
    const port = ports.find(({ id }) => id === row.portId);
    const route = routes.find(({ gtfsRouteId }) => gtfsRouteId === row.line);
    const about = port?.name ?? route?.lineName ?? null;
    return { about, text: describeNotice(t, translateTexts(row, language)) };
  });
  const unique = new Map(notices.map((notice) => [JSON.stringify(notice), notice]));
  return [...unique.values()].filter(({ text }) => text !== '');
}
