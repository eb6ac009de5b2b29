import { t } from '#web/language/texts.ts';
import type { Journey, Transfer } from '#web/platform/query/journey.ts';
import { Stack } from '#web/ui/layout/stack.tsx';
import { formatTransfer } from '../order/journeys.ts';
import { LegSummary, TransferNote } from '../order/leg-summary.tsx';
import { formatDuration } from '../site/local-time.ts';

type JourneySummaryProps = { journey: Journey; from: string; to: string; name?: string | undefined };

/** A chosen journey: its boat, or both boats with the transfer between them. */
export function JourneySummary({ journey, from, to, name }: JourneySummaryProps) {
  const { transfer } = journey;
  if (!transfer) return <LegSummary crossing={journey} from={from} to={to} name={name} />;
  const { first, onward, port, minutes } = transfer;
  return (
    <Stack gap="sm">
      <LegSummary crossing={first} from={from} to={port} name={name} />
      <TransferNote>{formatTransfer(port, minutes)}</TransferNote>
      <LegSummary crossing={onward} from={port} to={to} after={first} />
    </Stack>
  );
}

/** In a list of facts: "change at Heron Island (35 min)", or that a late boat leaves no time to change. */
export function describeTransfer({ port, minutes }: Pick<Transfer, 'port' | 'minutes'>): string {
  return minutes < 0
    ? t('change at {port} (you may miss the second boat)', { port })
    : t('change at {port} ({duration})', { port, duration: formatDuration(minutes) });
}
