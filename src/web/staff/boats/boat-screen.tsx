import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useNavigate, useParams, useSearchParams } from 'react-router';
import { staffPages } from '#contract/paths.ts';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { formatDay, localDay } from '#web/features/site/local-time.ts';
import { t } from '#web/language/texts.ts';
import type { BoatDetails } from '#web/platform/api/types.ts';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { PageHeader } from '#web/ui/layout/page.tsx';
import { Cluster, Stack } from '#web/ui/layout/stack.tsx';
import { QueueView } from '../gate/queue/queue-view.tsx';
import { useLiveBoats } from '../live/use-live.ts';
import { Permitted } from '../session/permitted.tsx';
import { usePermission } from '../session/staff-session.ts';
import { Boarding, BoatState, BoatTime, Loads } from './boat-parts.tsx';
import { boatQuery, SELL } from './boat-queries.ts';
import { ChangeDialog } from './change-dialog.tsx';
import { ChangeList } from './change-list.tsx';
import { CHANGE_NAMES, type ChangeKind, describeChange, listPossibleChanges } from './change-texts.ts';
import { HeldBackCard } from './held-back-card.tsx';
import { nameDestinations } from './next-boats.ts';
import { OrderTable, UnpaidTable } from './order-table.tsx';

/** One boat: how full it is, what was decided about it, and the orders on it. */
export function BoatScreen() {
  return (
    <Permitted permission="see_orders">
      <Boat />
    </Permitted>
  );
}

function Boat() {
  const { id = '' } = useParams();
  const query = useQuery(boatQuery(id));
  useLiveBoats(query.data ? localDay(query.data.boat.departsLocal) : '');
  if (query.data === undefined) {
    return (
      <QueryFallback query={query} problem={t('We could not load the boat')} loading={t('Loading…')}>
        <Skeleton height="20rem" />
      </QueryFallback>
    );
  }
  return <Details details={query.data} now={query.dataUpdatedAt} />;
}

function Details({ details, now }: { details: BoatDetails; now: number }) {
  const { boat, orders, unpaid, currency } = details;
  const day = localDay(boat.departsLocal);
  return (
    <>
      <PageHeader
        back={{
          to: `${staffPages.boats}?${new URLSearchParams({ port: boat.port.code, day })}`,
          label: t('Boats from {port}', { port: boat.port.name }),
        }}
        title={
          <>
            <BoatTime boat={boat} /> {t('to {destination}', { destination: nameDestinations(boat) })}
          </>
        }
        intro={t('{day}, {vessel}', { day: formatDay(day), vessel: boat.vessel.name })}
      />
      <Stack>
        <BoatState boat={boat} />
        {boat.statements.map((statement) => (
          <Notice key={statement}>{statement}</Notice>
        ))}
        <Card title={t('Load|of a boat')}>
          <Loads loads={boat.loads} />
        </Card>
        <Card title={t('Aboard|people')}>
          <Boarding boat={boat} />
        </Card>
        <Queue boat={boat} />
        <HeldBackCard details={details} now={now} />
        <Changes details={details} now={now} />
        {unpaid.length > 0 && (
          <Card title={t('Waits for payment')}>
            <UnpaidTable orders={unpaid} currency={currency} now={now} />
          </Card>
        )}
        <Card title={t('{count, plural, one {# order} other {# orders}}', { count: orders.length })}>
          {orders.length === 0 ? (
            <p>{t('There are no orders for this boat yet.')}</p>
          ) : (
            <OrderTable orders={orders} currency={currency} />
          )}
        </Card>
      </Stack>
    </>
  );
}

/** People without tickets, to whom the desk sells. */
function Queue({ boat: { sailings, status, departedAt } }: { boat: BoatDetails['boat'] }) {
  const mayManage = usePermission('manage_queue');
  const maySell = usePermission('sell_tickets');
  const startsSale = useStartedSale();
  const [first, ...others] = sailings.map(({ id, routeId, destination }) => ({
    ...{ id, destination, route_id: routeId, status, departed_at: departedAt },
  }));
  if (!mayManage || !first) return null;
  return (
    <Card title={t('Queue')}>
      <QueueView
        boat={{ sailings: [first, ...others] }}
        maySell={maySell}
        startsSale={startsSale && maySell}
      />
    </Card>
  );
}

/** Whether the address asks for a sale, which it does once: not after a reload. */
function useStartedSale(): boolean {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const [startsSale] = useState(search.has(SELL));
  const isAsked = search.has(SELL);
  useEffect(() => {
    if (isAsked) void navigate({ search: '' }, { replace: true, preventScrollReset: true });
  }, [isAsked, navigate]);
  return startsSale;
}

/** What was decided about the boat, and what staff with the right may decide. */
function Changes({ details, now }: { details: BoatDetails; now: number }) {
  const [kind, setKind] = useState<ChangeKind | null>(null);
  const mayChange = usePermission('change_sailings');
  const { boat, changes } = details;
  if (!mayChange && changes.length === 0) return null;
  return (
    <Card title={t('Changes|of a boat')}>
      <Stack>
        {changes.length > 0 && (
          <ChangeList
            label={t('Changes|of a boat')}
            changes={changes.map((change) => ({ ...change, title: describeChange(change) }))}
            now={now}
          />
        )}
        {mayChange && (
          <Cluster gap="sm">
            {listPossibleChanges(boat, now).map((each) => (
              <Button
                key={each}
                variant={each === 'canceled' ? 'danger' : 'secondary'}
                needsConnection
                onClick={() => setKind(each)}
              >
                {t(CHANGE_NAMES[each].button)}
              </Button>
            ))}
          </Cluster>
        )}
      </Stack>
      {kind !== null && <ChangeDialog details={details} kind={kind} onClose={() => setKind(null)} />}
    </Card>
  );
}
