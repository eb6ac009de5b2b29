import type { Route } from '#contract/catalogue/schemas.ts';
import { translateTexts } from '#messages/translations.ts';
import { describeNotice } from '#sentences/exceptions.ts';
import { textsIn } from '#server/core/texts.ts';
import type { Database } from '#server/database/database.ts';
import type { ExceptionRow } from '#server/sailings/exceptions/match-exception.ts';
import { loadServiceNotices } from '#server/sailings/exceptions/service-notices.ts';
import { loadCatalogue } from '#server/sailings/queries.ts';

type Where = { portId: string; lines: ReadonlySet<string>; day: string; language: string };

/** The operator's notices of a day about a port, or about all sailings of a line that serves it; the latest first. */
export async function listPortNotices(db: Database, where: Where): Promise<string[]> {
  const { day, language } = where;
  const t = textsIn(language);
  const notices = await loadServiceNotices(db, day);
  const texts = notices
    .filter((each) => concernsPort(each, where))
    .map((each) => describeNotice(t, translateTexts(each, language)));
  return [...new Set(texts)].filter(Boolean);
}

/** The operator's notices of a day about the lines from one port to another, or about one of the two. */
export async function listRouteNotices(
  db: Database,
  { origin_port_id, destination_port_id }: Pick<Route, 'origin_port_id' | 'destination_port_id'>,
  { day, language }: { day: string; language: string },
): Promise<string[]> {
  const { routes } = await loadCatalogue(db);
  const own = routes.filter(
    (route) => route.originPortId === origin_port_id && route.destinationPortId === destination_port_id,
  );
  const lines = new Set(own.map(({ gtfsRouteId }) => gtfsRouteId));
  const ofPorts = await Promise.all(
    [origin_port_id, destination_port_id].map((portId) =>
      listPortNotices(db, { portId, lines, day, language }),
    ),
  );
  return [...new Set(ofPorts.flat())];
}

function concernsPort({ kind, line, portId }: ExceptionRow, where: Where): boolean {
  if (kind === 'port_closed') return portId === where.portId;
  if (line !== null && !where.lines.has(line)) return false;
  return portId === null || portId === where.portId;
}
