import { describeNotice } from '#domain/sailings/exceptions.ts';
import type { Database } from '#server/database/database.ts';
import type { ExceptionRow } from '#server/sailings/exceptions/match-exception.ts';
import { listExceptions } from '#server/sailings/exceptions/store-exceptions.ts';

type Where = { portId: string; lines: ReadonlySet<string>; day: string };

/** The operator's notices of a day about a port, or about all sailings of a line that serves it; the latest first. */
export async function listPortNotices(db: Database, where: Where): Promise<string[]> {
  const { day } = where;
  const exceptions = await listExceptions(db, { from: day, until: day });
  const texts = exceptions
    .filter((each) => concernsPort(each, where))
    .toSorted((a, b) => b.insertedAt.getTime() - a.insertedAt.getTime())
    .map((each) => describeNotice(each));
  return [...new Set(texts)].filter(Boolean);
}

function concernsPort(exception: ExceptionRow, { portId, lines }: Where): boolean {
  const { kind, line, tripKey, voyageId, departsLocal } = exception;
  if (tripKey !== null || voyageId !== null || departsLocal !== null) return false;
  if (kind === 'port_closed') return exception.portId === portId;
  if (kind !== 'notice' || (line !== null && !lines.has(line))) return false;
  return exception.portId === null || exception.portId === portId;
}

/** The text of a sailing without the notices that stand above the list. */
export function withoutNotices(text: string, notices: readonly string[]): string {
  return notices
    .reduce((rest, notice) => rest.replace(notice, ''), text)
    .replace(/\s+/g, ' ')
    .trim();
}
