import { useQuery } from '@tanstack/react-query';
import { BoatsAccessibility } from '#web/features/sailing/accessibility.tsx';
import { JourneySummary } from '#web/features/sailing/journey-summary.tsx';
import { canBuyOnline, hasLeft } from '#web/features/sailing/sailing-row.tsx';
import { SavedAgeLine, useIsFresh } from '#web/features/saved-offline/saved-age.tsx';
import { ContactWays, useCanReach } from '#web/features/site/contact-ways.tsx';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { formatDay, formatShortDay, localDay } from '#web/features/site/local-time.ts';
import type { ConnectionsQuery, Route, Sailing, SailingsQuery } from '#web/platform/api/types.ts';
import { useReadableOffline } from '#web/platform/connection/readable-offline.ts';
import { type Journey, listSailings } from '#web/platform/query/journey.ts';
import { sailingsQuery } from '#web/platform/query/queries.ts';
import type { PersistMeta } from '#web/platform/saved-data/saved-query.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { addDays, clampDay, type IsoDate } from '#web/ui/calendar/calendar.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button, IconButton } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Disclosure } from '#web/ui/layout/disclosure.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { useDraft, usePurchase } from '../purchase.ts';
import type { StepProps } from '../steps.ts';
import {
  type Direction,
  findLegPorts,
  findPortName,
  findRoute,
  findSailingsSearch,
  type TripSearch,
} from '../trip/trip-search.ts';
import styles from './leg-picker.module.css';
import { nextSailingDayQuery } from './queries.ts';
import { SailingList, type SailingListProps } from './sailing-list.tsx';

export const LEG_IDS = { out: 'sailings-out', back: 'sailings-back' } as const;

/** Viewed sailings stay in this browser until the last one of the day has left. */
const SAVED: { meta: PersistMeta } = {
  meta: {
    persist: 'device',
    savedUntil: (sailings: Sailing[]) =>
      sailings.length === 0 ? null : Math.max(...sailings.map(({ departsAt }) => Date.parse(departsAt))),
  },
};

/** Chooses the sailing of one leg, then shows it. */
export function LegPicker({ catalogue, today, leg, trip }: StepProps & { leg: Direction; trip: TripSearch }) {
  const { units } = useSettings();
  const { change } = usePurchase();
  const { outward, back } = useDraft();
  const id = LEG_IDS[leg];
  const isBack = leg === 'back';
  const chosen = isBack ? back : outward;
  const [from, to] = findLegPorts(trip, leg);
  const search = findSailingsSearch(catalogue, trip, leg, units);
  if (search === null) return null;
  const name = trip.tripType === 'one-way' ? null : isBack ? 'Return' : 'Outbound';
  const [fromName, toName] = [findPortName(catalogue, from), findPortName(catalogue, to)];
  const earliest = clampDay(today, catalogue.onSaleFrom, catalogue.onSaleUntil);

  function choose(sailing: Journey | null) {
    // The return may leave before another outward sailing arrives.
    const choice = isBack ? { back: sailing } : { outward: sailing, back: null };
    change({ ...choice, notice: null, refusal: null });
  }

  function showDay(day: IsoDate) {
    const days = isBack ? { backDate: day } : { outDate: day, backDate: clampDay(trip.backDate, day) };
    change({ trip: { ...trip, ...days } });
  }

  return (
    <section aria-labelledby={id}>
      <Stack gap="sm">
        {chosen === null ? (
          <DayOfSailings
            id={id}
            title={`${name === null ? '' : `${name}: `}${keepOnOneLine(fromName)} to ${keepOnOneLine(toName)}`}
            route={findRoute(catalogue, from, to)}
            search={search}
            firstDay={isBack ? (outward ? localDay(outward.departsLocal) : trip.outDate) : earliest}
            lastDay={catalogue.onSaleUntil}
            notBefore={isBack && outward ? outward.arrivesAt : null}
            onChoose={choose}
            onDay={showDay}
          />
        ) : (
          <Card tone="accent">
            <h2 id={id} tabIndex={-1} className={styles.title}>
              {name ?? 'Your sailing'}
            </h2>
            <JourneySummary journey={chosen} from={fromName} to={toName} />
            <div className={styles.chosen}>
              <span>{chosen.vessel.name}</span>
              <Button size="small" variant="quiet" onClick={() => choose(null)}>
                Change sailing
              </Button>
            </div>
            <BoatsAccessibility boats={listBoats([chosen])} />
          </Card>
        )}
      </Stack>
    </section>
  );
}

function keepOnOneLine(name: string): string {
  return name.replaceAll(' ', '\u00a0');
}

type DayOfSailingsProps = {
  id: string;
  title: string;
  /** Null for journeys with a change. */
  route: Route | null;
  search: SailingsQuery | ConnectionsQuery;
  firstDay: IsoDate;
  lastDay: IsoDate;
  /** When the outward sailing arrives, for the return. */
  notBefore: string | null;
  onChoose: (sailing: Journey) => void;
  onDay: (day: IsoDate) => void;
};

function DayOfSailings(props: DayOfSailingsProps) {
  const { id, title, search, firstDay, lastDay, notBefore, onChoose, onDay } = props;
  const { contact } = useSettings();
  const sailings = useQuery({ ...sailingsQuery(search), ...SAVED });
  const isFresh = useIsFresh(sailings);
  const day = search.date;
  const offered = sailings.data?.filter(({ departsAt }) => notBefore === null || departsAt >= notBefore);
  return (
    <>
      <div className={styles.days}>
        <IconButton
          icon="chevron-left"
          label="Previous day"
          variant="secondary"
          aria-disabled={day <= firstDay}
          onClick={() => day > firstDay && onDay(addDays(day, -1))}
        />
        <div className={styles.heading}>
          <h2 id={id} tabIndex={-1} className={styles.title}>
            {title}
          </h2>
          <p aria-live="polite">{formatShortDay(day)}</p>
        </div>
        <IconButton
          icon="chevron-right"
          label="Next day"
          variant="secondary"
          aria-disabled={day >= lastDay}
          onClick={() => day < lastDay && onDay(addDays(day, 1))}
        />
      </div>
      {offered ? (
        <>
          {!isFresh && <SavedSailings sailings={offered} />}
          {offered.some(canBuyOnline) && (
            <p className="note">
              Prices are for your whole party{search.vehicleType ? ' and vehicle' : ''}, one way.
            </p>
          )}
          <DepartedSailings sailings={offered.filter(hasLeft)} onChoose={onChoose} phone={contact.phone} />
          <SailingList
            label={`Sailings on ${formatDay(day)}`}
            sailings={offered.filter((sailing) => !hasLeft(sailing))}
            onChoose={onChoose}
            phone={contact.phone}
          />
          <BoatsAccessibility boats={listBoats(offered)} />
          {!offered.some(canBuyOnline) && <NothingToBuy {...props} isEmpty={offered.length === 0} />}
        </>
      ) : (
        <QueryFallback
          query={sailings}
          problem="The sailings could not be loaded"
          loading="Loading the sailings…"
        >
          <Skeleton height="6.5rem" lines={4} />
        </QueryFallback>
      )}
    </>
  );
}

function listBoats(journeys: readonly Journey[]) {
  return journeys.flatMap(listSailings).map(({ vessel, accessibility }) => ({
    vesselName: vessel.name,
    accessibility,
  }));
}

/** Without a connection: the times saved earlier, and how old they are. */
function SavedSailings({ sailings }: { sailings: readonly Sailing[] }) {
  useReadableOffline();
  return <SavedAgeLine asOf={sailings.map(({ asOf }) => asOf)} isFresh={false} now={serverNow()} />;
}

/** Folded away, because in the afternoon they would fill the first screen. */
function DepartedSailings(props: Omit<SailingListProps, 'label'>) {
  const count = props.sailings.length;
  if (count === 0) return null;
  return (
    <Disclosure summary={count === 1 ? '1 sailing has left' : `${count} sailings have left`}>
      <SailingList label="Sailings that have left" {...props} />
    </Disclosure>
  );
}

type NothingToBuyProps = Pick<DayOfSailingsProps, 'route' | 'search' | 'lastDay' | 'onDay'>;

function NothingToBuy({ route, search, lastDay, onDay, isEmpty }: NothingToBuyProps & { isEmpty: boolean }) {
  const canReach = useCanReach();
  const next = useQuery(nextSailingDayQuery(route?.id ?? null, search.date));
  const nextDay = next.data != null && next.data <= lastDay ? next.data : null;
  return (
    <EmptyState
      titleAs="h3"
      icon="calendar"
      title={isEmpty ? 'No sailings on this day' : 'No tickets left online for this day'}
      action={
        nextDay !== null && (
          <Button variant="secondary" onClick={() => onDay(nextDay)}>
            Show {formatDay(nextDay)}
          </Button>
        )
      }
    >
      {next.isPending ? (
        'Looking for the next day with sailings…'
      ) : nextDay !== null ? (
        `The next day with sailings is ${formatDay(nextDay)}.`
      ) : canReach ? (
        <>
          <ContactWays isSentence /> and we will help you find a way.
        </>
      ) : (
        'Ask at the ticket booth.'
      )}
    </EmptyState>
  );
}
