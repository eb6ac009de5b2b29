import type { Change, Journey } from '#web/platform/query/journey.ts';
import { LegSummary } from '../order/leg-summary.tsx';
import { formatDuration } from '../site/local-time.ts';

type JourneySummaryProps = { journey: Journey; from: string; to: string; name?: string | undefined };

/** A chosen journey: its boat, or both boats with the change between them. */
export function JourneySummary({ journey, from, to, name }: JourneySummaryProps) {
  const { change } = journey;
  if (!change) return <LegSummary crossing={journey} from={from} to={to} name={name} />;
  const { first, onward } = change;
  const text = describeChange(change);
  return (
    <>
      <LegSummary crossing={first} from={from} to={change.port} name={name} />
      <p className="note">{text.charAt(0).toUpperCase() + text.slice(1)}</p>
      <LegSummary crossing={onward} from={change.port} to={to} />
    </>
  );
}

/** "change at Heron Island (35 min)" */
export function describeChange({ port, minutes }: Pick<Change, 'port' | 'minutes'>): string {
  return `change at ${port} (${formatDuration(minutes)})`;
}
