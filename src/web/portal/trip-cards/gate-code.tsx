import { useQuery } from '@tanstack/react-query';
import { formatTripCardNumber } from '#domain/trip-card-number.ts';
import { formatAsOf } from '#web/parts/freshness.ts';
import { GateHint } from '#web/parts/gate-hint.tsx';
import { LoadProblem } from '#web/parts/load-problem.tsx';
import { QrCode } from '#web/parts/qr-code.tsx';
import type { OfflineCode, TripCard } from '#web/platform/api/types.ts';
import { formatMoney } from '#web/ui/money.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { TicketFrame } from '#web/ui/ticket-frame.tsx';
import { formatWhen } from '../parts/moments.ts';
import { offlineCodeQuery } from './queries.ts';

/** What the gate scans; what was loaded before is shown while a newer one is asked for. */
export function GateCode({ card, now }: { card: TripCard; now: number }) {
  const query = useQuery(offlineCodeQuery(card.id));
  const { data: code } = query;
  if (code !== undefined) return <Code card={card} code={code} now={now} />;
  if (query.isError) {
    return (
      <LoadProblem
        title="The code could not be loaded"
        error={query.error}
        isFetching={query.isFetching}
        onRetry={() => void query.refetch()}
      />
    );
  }
  return (
    <>
      <output className="visually-hidden">Loading the code…</output>
      <Skeleton width="19rem" height="19rem" />
    </>
  );
}

function Code({ card, code, now }: { card: TripCard; code: OfflineCode; now: number }) {
  const isOver = Date.parse(code.validUntil) <= now;
  return (
    <TicketFrame
      as="div"
      header={<span>{card.name}</span>}
      code={<QrCode payload={code.payload} label={`Code of ${card.name}, to be scanned at the gate`} />}
      codeCaption={card.number === null ? `•••• ${card.lastFour}` : formatTripCardNumber(card.number)}
      isVoid={isOver}
      voidText="Out of date"
    >
      {isOver ? (
        <Notice type="warning">This code is out of date. Connect to the internet to get a new one.</Notice>
      ) : (
        <>
          <p>
            Show it at the gate; it works without a connection until {formatWhen(code.validUntil, now)}.{' '}
            {formatMoney(code.balance, code.currency)} {formatAsOf(code.asOf, now)}.
          </p>
          <GateHint />
        </>
      )}
    </TicketFrame>
  );
}
