import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { moveQueue } from '#contract/gate/queue/endpoints.ts';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { formatClock } from '#web/features/site/local-time.ts';
import { ActionButton } from '#web/features/site/problem.tsx';
import { formatClockForReader } from '#web/features/site/reader-time.ts';
import { t } from '#web/language/texts.ts';
import { request } from '#web/platform/api/request.ts';
import type { Catalogue, Queue, QueueEntry } from '#web/platform/api/types.ts';
import { useAction } from '#web/platform/forms/use-action.ts';
import { catalogueQuery } from '#web/platform/query/queries.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { Badge } from '#web/ui/feedback/badge.tsx';
import { Notice } from '#web/ui/feedback/notice.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { EntrySheet } from './entry-sheet.tsx';
import { PartyForm } from './party-form.tsx';
import { type EntryChange, type QueueBoat, queueQuery, useChangeEntry, useStoreQueue } from './queue.ts';
import { describeFree, describeParty } from './queue-texts.ts';
import styles from './queue-view.module.css';
import { SellDialog } from './sell-dialog.tsx';

type QueueViewProps = {
  boat: QueueBoat;
  maySell: boolean;
  /** Opens with a sale. */
  startsSale?: boolean;
  /** Lets the tickets of a sale aboard. Absent at the desk, which checks no tickets and works by keyboard. */
  onBoard?: (tickets: readonly string[]) => void;
};

/** People without tickets who wait for a boat, in the order of arrival. It is on the server, so it needs a connection. */
export function QueueView({ boat, ...seller }: QueueViewProps) {
  const queue = useQuery(queueQuery(boat.sailings[0].id));
  const catalogue = useQuery(catalogueQuery());
  if (queue.data && catalogue.data) {
    const loaded = { boat, queue: queue.data, catalogue: catalogue.data, isOld: queue.isError };
    return <LoadedQueue {...loaded} {...seller} />;
  }
  return (
    <QueryFallback
      query={queue.isError ? queue : catalogue}
      problem={t('The queue needs a connection')}
      loading={t('Loading the queue…')}
    >
      <Skeleton height="12rem" />
    </QueryFallback>
  );
}

type LoadedQueueProps = QueueViewProps & { queue: Queue; catalogue: Catalogue; isOld: boolean };

function LoadedQueue({ boat, queue, catalogue, isOld, maySell, startsSale, onBoard }: LoadedQueueProps) {
  const { units } = useSettings();
  const [sailing] = boat.sailings;
  const [openId, setOpenId] = useState<string | null>(null);
  const boards = sailing.status === 'scheduled' && sailing.departed_at === null;
  const [adding, setAdding] = useState<'queue' | 'sale' | null>(startsSale && boards ? 'sale' : null);
  // As it was when the sale began: a sold party is not in the queue any more. `isNew`: it was only added to be sold tickets.
  const [selling, setSelling] = useState<{ entry: QueueEntry; isNew: boolean } | null>(null);
  const [last, setLast] = useState<(EntryChange & { title: string }) | null>(null);
  const [withoutPlace, setWithoutPlace] = useState<string | null>(null);
  const call = useChangeEntry(sailing.id, () => setLast(null));
  const nameOf = (entry: QueueEntry) => describeParty(entry, catalogue, units);
  const { entries } = queue;
  const open = entries.find(({ id }) => id === openId);
  const next = entries.find(({ status, fits }) => status === 'waiting' && fits);
  const startsFocused = onBoard === undefined;
  return (
    <Stack>
      {isOld && (
        <Notice type="warning" role="status">
          {t('The queue needs a connection. This is how it was at {time}.', {
            time: formatClockForReader(queue.asOf),
          })}
        </Notice>
      )}
      <FreePlaces boat={boat} queue={queue} />
      {boards && (
        <QueueActions
          next={next && { ...next, title: nameOf(next) }}
          call={call}
          maySell={maySell}
          onAdd={(purpose) => {
            setWithoutPlace(null);
            setAdding(purpose);
          }}
        />
      )}
      {withoutPlace !== null && (
        <Notice type="warning" role="status">
          {t('There is no place for {who} now. They wait in the queue.', { who: withoutPlace })}
        </Notice>
      )}
      {last && <LastChange last={last} sailingId={sailing.id} onUndone={() => setLast(null)} />}
      {entries.length === 0 && <p className="note">{t('No one waits for this boat.')}</p>}
      <ol className={styles.list}>
        {entries.map((entry) => (
          <li key={entry.id}>
            <button type="button" className={styles.entry} onClick={() => setOpenId(entry.id)}>
              <Entry entry={entry} title={nameOf(entry)} boat={boat} />
            </button>
          </li>
        ))}
      </ol>
      {!boards && entries.length > 0 && <MoveQueue queue={queue} sailingId={sailing.id} />}
      {adding !== null && (
        <PartyForm
          {...{ boat, catalogue, units, startsFocused }}
          isForSale={adding === 'sale'}
          onAdded={(entry) => {
            if (adding === 'queue') return;
            if (entry.fits || entry.fitsHeldBack) setSelling({ entry, isNew: true });
            else setWithoutPlace(nameOf(entry));
          }}
          onClose={() => setAdding(null)}
        />
      )}
      {open && (
        <EntrySheet
          entry={open}
          title={nameOf(open)}
          sailingId={sailing.id}
          onSell={
            maySell && boards
              ? () => {
                  setOpenId(null);
                  setSelling({ entry: open, isNew: false });
                }
              : undefined
          }
          onChanged={(change) => {
            setOpenId(null);
            setLast({ ...change, title: nameOf(open) });
          }}
          onClose={() => setOpenId(null)}
        />
      )}
      {selling && (
        <SellDialog
          entry={selling.entry}
          title={nameOf(selling.entry)}
          sailingId={sailing.id}
          onBoard={onBoard}
          startsFocused={startsFocused}
          onClose={(isSold) => {
            setSelling(null);
            if (selling.isNew && !isSold) call.run({ id: selling.entry.id, status: 'removed' });
          }}
        />
      )}
    </Stack>
  );
}

type QueueActionsProps = {
  /** The first that waits and fits. */
  next: (QueueEntry & { title: string }) | undefined;
  call: ReturnType<typeof useChangeEntry>;
  maySell: boolean;
  onAdd: (purpose: 'queue' | 'sale') => void;
};

function QueueActions({ next, call, maySell, onAdd }: QueueActionsProps) {
  return (
    <div className={styles.actions}>
      {maySell && (
        <Button size="large" block needsConnection onClick={() => onAdd('sale')}>
          {t('Sell tickets')}
        </Button>
      )}
      {next && (
        <ActionButton
          action={{ ...call, run: () => call.run({ id: next.id, status: 'called' }) }}
          variant={maySell ? 'secondary' : 'primary'}
          size="large"
          block
          needsConnection
        >
          {t('Call the next: {who}', { who: next.label || next.plate || next.title })}
        </ActionButton>
      )}
      <Button
        variant="secondary"
        size="large"
        icon="plus"
        block
        needsConnection
        onClick={() => onAdd('queue')}
      >
        {t('Add to the queue')}
      </Button>
    </div>
  );
}

function FreePlaces({ boat, queue }: { boat: QueueBoat; queue: Queue }) {
  const { units } = useSettings();
  const [{ status, departed_at }] = boat.sailings;
  if (departed_at !== null) return null;
  if (status === 'canceled') return <p>{t('This boat is canceled, so no more tickets are sold for it.')}</p>;
  return queue.free.map((free) => {
    // A boat that was never on sale has no places to count.
    if (free.places.length === 0) return null;
    const places = describeFree(free, units);
    const destination = boat.sailings.find(({ id }) => id === free.sailingId)?.destination ?? '';
    return (
      <p key={free.sailingId}>
        {queue.free.length === 1
          ? t('Free now: {places}', { places })
          : t('Free now to {destination}: {places}', { destination, places })}
      </p>
    );
  });
}

function Entry({ entry, title, boat }: { entry: QueueEntry; title: string; boat: QueueBoat }) {
  const { arrivedAt, plate, label, status, fits, wasLeftBehind, sailingId } = entry;
  const destination = boat.sailings.find(({ id }) => id === sailingId)?.destination;
  return (
    <>
      <span>
        <strong>{title}</strong>
        {label !== '' && (
          <>
            {' '}
            <span dir="auto">{label}</span>
          </>
        )}
      </span>
      {plate !== null && (
        <span className={styles.plate} translate="no">
          {plate}
        </span>
      )}
      <span className="note">
        {boat.sailings.length > 1 && destination
          ? t('To {destination}, since {time}', { destination, time: formatClockForReader(arrivedAt) })
          : t('Since {time}', { time: formatClockForReader(arrivedAt) })}
        {wasLeftBehind && ` · ${t('left behind by an earlier boat')}`}
      </span>
      <span className={styles.badges}>
        <Badge tone={fits ? 'success' : 'warning'} icon={fits ? 'check' : 'close'}>
          {describeFit(entry)}
        </Badge>
        {status === 'called' && <Badge tone="info">{t('Called')}</Badge>}
      </span>
    </>
  );
}

function describeFit({ fits, fitsHeldBack }: QueueEntry): string {
  if (fits) return t('Fits');
  return fitsHeldBack ? t('Fits only in places held back') : t('Does not fit');
}

type LastChangeProps = {
  last: EntryChange & { title: string };
  sailingId: string;
  onUndone: () => void;
};

/** What was just done to a party that is not in the list any more, until the next change. */
function LastChange({ last: { id, status, title }, sailingId, onUndone }: LastChangeProps) {
  const undo = useChangeEntry(sailingId, onUndone);
  if (status !== 'served' && status !== 'removed') return null;
  return (
    <Notice
      type="success"
      role="status"
      action={
        <ActionButton
          action={{ ...undo, run: () => undo.run({ id, status: 'waiting' }) }}
          size="small"
          needsConnection
        >
          {t('Undo')}
        </ActionButton>
      }
    >
      {status === 'served' ? t('Served: {who}', { who: title }) : t('Removed: {who}', { who: title })}
    </Notice>
  );
}

/** For a boat that does not run: the departure of one that does moves its queue by itself. */
function MoveQueue({ queue, sailingId }: { queue: Queue; sailingId: string }) {
  const store = useStoreQueue(sailingId);
  const action = useAction(() => request(moveQueue, { params: { id: sailingId } }), { onDone: store });
  if (queue.nextDepartsLocal === null) return <p>{t('No other boat leaves for them today.')}</p>;
  return (
    <ActionButton action={action} block needsConnection>
      {t('Move all to the boat at {time}', { time: formatClock(queue.nextDepartsLocal) })}
    </ActionButton>
  );
}
