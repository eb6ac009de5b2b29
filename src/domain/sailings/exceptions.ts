import type { ExceptionKind, ExceptionReason } from '#contract/sailings/exceptions.ts';
import type { Translations } from '#messages/translations.ts';

/** A statement of the operator or its live data that differs from the timetable. */
export type SailingException = {
  kind: ExceptionKind;
  reason: ExceptionReason | null;
  /** One or two sentences for passengers; empty: derived from kind and reason. */
  text: string;
  /** Of the text. */
  translations?: Translations;
  /** Expected delay in minutes; 0 for other kinds. */
  minutes: number;
  /** Milliseconds since 1970. Of two exceptions of one kind the later applies. */
  insertedAt: number;
};

/** What passengers of a sailing are told: an exception, or that the sailing was taken out of the timetable. */
export type SailingStatement = Pick<SailingException, 'reason' | 'text' | 'translations'> & {
  kind: ExceptionKind | 'withdrawn' | 'extra_withdrawn';
};

/** What a sailing's exceptions decide about it. Instants in milliseconds since 1970. */
export type SailingState = {
  status: 'scheduled' | 'suspended' | 'canceled';
  /** What passengers are told, the most important first. */
  statements: SailingStatement[];
  delayMinutes: number;
  salesCloseAt: number;
};

/**
 * The state of a sailing with these exceptions: a cancellation wins over a suspension, and that over a delay. Texts of
 * lesser exceptions are added, except to a cancellation.
 * @param planned the departure and the end of online sales by the timetable
 */
export function resolveSailingState(
  planned: { departsAt: number; salesCloseAt: number },
  exceptions: readonly SailingException[],
): SailingState {
  const latestFirst = exceptions.toSorted((a, b) => b.insertedAt - a.insertedAt);
  const find = (...kinds: ExceptionKind[]) => latestFirst.find(({ kind }) => kinds.includes(kind));
  const salesCloseAt = getSalesClose(planned, find('sales_closed', 'sales_open'));
  const cancellation = find('canceled', 'port_closed');
  if (cancellation) {
    return {
      status: 'canceled',
      statements: [toStatement(cancellation)],
      delayMinutes: 0,
      salesCloseAt,
    };
  }
  const suspension = find('suspended');
  const delay = find('delayed');
  const statements = [find('extra'), suspension, delay, find('vessel'), find('notice')]
    .filter((each) => each !== undefined)
    .map(toStatement);
  return {
    status: suspension ? 'suspended' : 'scheduled',
    statements,
    delayMinutes: delay?.minutes ?? 0,
    salesCloseAt,
  };
}

function toStatement({ kind, reason, text, translations = {} }: SailingException): SailingStatement {
  const isTranslated = Object.keys(translations).length > 0;
  return { kind, reason, text, ...(isTranslated ? { translations } : {}) };
}

function getSalesClose(
  { departsAt, salesCloseAt }: { departsAt: number; salesCloseAt: number },
  exception: SailingException | undefined,
): number {
  if (exception?.kind === 'sales_open') return departsAt;
  return exception ? Math.min(salesCloseAt, exception.insertedAt) : salesCloseAt;
}
