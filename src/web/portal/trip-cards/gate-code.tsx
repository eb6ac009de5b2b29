import { useQuery } from '@tanstack/react-query';
import { formatTripCardNumber } from '#domain/trip-cards/trip-card-number.ts';
import { formatAsOf } from '#web/features/saved-offline/freshness.ts';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { formatWhen } from '#web/features/site/timestamp.tsx';
import details from '#web/features/ticket/gate/gate-details.module.css';
import { GateView } from '#web/features/ticket/gate/gate-view.tsx';
import { QrCode } from '#web/features/ticket/qr-code.tsx';
import { formatOnCard } from '#web/features/trip-card/card-amount.ts';
import { cardTitle } from '#web/features/trip-card/trip-card.ts';
import { t } from '#web/language/texts.ts';
import type { OfflineCode, TripCard } from '#web/platform/api/types.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { offlineCodeQuery } from './queries.ts';

type GateCodeProps = { card: TripCard; now: number; onClose: () => void };

/** The code for the gate, full screen. A saved code is shown while a newer one is loading. */
export function GateCode({ card, now, onClose }: GateCodeProps) {
  const query = useQuery(offlineCodeQuery(card.id));
  const { data: code } = query;
  const pass =
    code !== undefined
      ? {
          code: <Code card={card} code={code} now={now} />,
          details: <Details card={card} code={code} now={now} />,
        }
      : {
          code: (
            <QueryFallback
              query={query}
              problem={t('The code could not be loaded')}
              loading={t('Loading the code…')}
            >
              <Skeleton width="19rem" height="19rem" />
            </QueryFallback>
          ),
          details: null,
        };
  return (
    <GateView
      title={cardTitle(card)}
      item="code"
      passes={[{ id: card.id, ...pass }]}
      asOf={code?.asOf ?? card.asOf}
      onClose={onClose}
    />
  );
}

type CodeProps = { card: TripCard; code: OfflineCode; now: number };

function Code({ card, code, now }: CodeProps) {
  if (Date.parse(code.validUntil) <= now) {
    return (
      <Notice type="warning">
        {t('This code is out of date. Connect to the internet to get a new one.')}
      </Notice>
    );
  }
  return (
    <QrCode
      payload={code.payload}
      label={t('Code of {card}, to be scanned at the gate', { card: cardTitle(card) })}
    />
  );
}

function Details({ card, code, now }: CodeProps) {
  return (
    <>
      <p className={details.boardingCode} translate="no">
        {card.number === null ? `•••• ${card.lastFour}` : formatTripCardNumber(card.number)}
      </p>
      <p className={details.who}>
        {formatOnCard(code.balance, code)} {formatAsOf(code.asOf, now)}
      </p>
      {Date.parse(code.validUntil) > now && (
        <p className={details.small}>
          {t('It works without a connection until {time}.', { time: formatWhen(code.validUntil, now) })}
        </p>
      )}
    </>
  );
}
