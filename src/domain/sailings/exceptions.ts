export const EXCEPTION_KINDS = [
  'canceled',
  'suspended',
  'delayed',
  'vessel',
  'notice',
  'sales_closed',
  'sales_open',
  'port_closed',
  'extra',
] as const;
export type ExceptionKind = (typeof EXCEPTION_KINDS)[number];

export const EXCEPTION_REASONS = ['weather', 'technical', 'crew', 'traffic', 'port', 'other'] as const;
export type ExceptionReason = (typeof EXCEPTION_REASONS)[number];

/** A statement of the operator or its live data that differs from the timetable. */
export type SailingException = {
  kind: ExceptionKind;
  reason: ExceptionReason | null;
  /** One or two sentences for passengers; empty: derived from kind and reason. */
  text: string;
  /** Expected delay in minutes; 0 for other kinds. */
  minutes: number;
  /** Milliseconds since 1970. Of two exceptions of one kind the later applies. */
  insertedAt: number;
};

/** What a sailing's exceptions decide about it. Instants in milliseconds since 1970. */
export type SailingState = {
  status: 'scheduled' | 'suspended' | 'canceled';
  statusText: string;
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
      statusText: describeException(cancellation),
      delayMinutes: 0,
      salesCloseAt,
    };
  }
  const suspension = find('suspended');
  const delay = find('delayed');
  const told = [find('extra'), suspension, delay, find('vessel'), find('notice')].filter(
    (each) => each !== undefined,
  );
  return {
    status: suspension ? 'suspended' : 'scheduled',
    statusText: told.map(describeException).filter(Boolean).join(' '),
    delayMinutes: delay?.minutes ?? 0,
    salesCloseAt,
  };
}

function getSalesClose(
  { departsAt, salesCloseAt }: { departsAt: number; salesCloseAt: number },
  exception: SailingException | undefined,
): number {
  if (exception?.kind === 'sales_open') return departsAt;
  return exception ? Math.min(salesCloseAt, exception.insertedAt) : salesCloseAt;
}

/** The sentence for passengers; empty if there is nothing to add to what the screens say themselves. */
export function describeException({ kind, reason, text }: SailingException): string {
  if (text !== '') return text;
  const because = reason === null ? '' : REASON_TEXTS[reason];
  switch (kind) {
    case 'canceled':
      return because && `Canceled because of ${because}.`;
    case 'port_closed':
      return `Canceled because the port is closed${because && `: ${because}`}.`;
    case 'suspended':
      return `On hold${because && ` because of ${because}`}. We will say here whether it runs.`;
    case 'delayed':
      return because && `Late because of ${because}.`;
    case 'vessel':
      return because && `Another boat runs because of ${because}.`;
    default:
      return '';
  }
}

/** The sentence about a whole port or line; empty for other kinds. */
export function describeNotice({
  kind,
  reason,
  text,
}: Pick<SailingException, 'kind' | 'reason' | 'text'>): string {
  if (kind === 'notice') return text;
  if (kind !== 'port_closed') return '';
  const because = reason === null ? '' : REASON_TEXTS[reason];
  return text || `This port is closed${because && ` because of ${because}`}.`;
}

const REASON_TEXTS: Readonly<Record<ExceptionReason, string>> = {
  weather: 'the weather',
  technical: 'a technical fault',
  crew: 'a crew shortage',
  traffic: 'heavy traffic',
  port: 'a problem at the port',
  other: '',
};
