import { useQuery } from '@tanstack/react-query';
import { BoatsAccessibility } from '#web/features/sailing/accessibility.tsx';
import { canBuyOnline, hasLeft, SailingBadge, SailingTimes } from '#web/features/sailing/sailing-row.tsx';
import { SavedAgeLine, useIsFresh } from '#web/features/saved-offline/saved-age.tsx';
import { ContactWays, useCanReach } from '#web/features/site/contact-ways.tsx';
import { QueryFallback } from '#web/features/site/load-problem.tsx';
import { formatDay, formatShortDay, localDay } from '#web/features/site/local-time.ts';
import { rich } from '#web/language/rich.ts';
import { t } from '#web/language/texts.ts';
import type {
  ConnectionsQuery,
  Route,
  Sailing,
  SailingDaysQuery,
  SailingsQuery,
} from '#web/platform/api/types.ts';
import { useReadableOffline } from '#web/platform/connection/readable-offline.ts';
import { type Journey, listSailings } from '#web/platform/query/journey.ts';
import { sailingsQuery } from '#web/platform/query/queries.ts';
import type { PersistMeta } from '#web/platform/saved-data/saved-query.ts';
import { serverNow } from '#web/platform/server-clock.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { clampDay, type IsoDate } from '#web/ui/calendar/calendar.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Disclosure } from '#web/ui/layout/disclosure.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { useDraft, usePurchase } from '../purchase.ts';
import type { StepProps } from '../steps.ts';
import {
  type Direction,
  findDaysSearch,
  findLegPorts,
  findPortName,
  findRoute,
  findSailingsSearch,
  type TripSearch,
} from '../trip/trip-search.ts';
import { describePrices } from './day-prices.ts';
import { DayStrip, useWeek } from './day-strip.tsx';
import styles from './leg-picker.module.css';
import { nextSailingDayQuery, sailingDaysQuery } from './queries.ts';
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

type LegPickerProps = StepProps & {
  leg: Direction;
  trip: TripSearch;
  /** The page says beside it for whom the prices are, and that those of a return are for both ways. */
  isPartyShown?: boolean | undefined;
};

/** Chooses the sailing of one leg, then shows it. */
export function LegPicker({ catalogue, today, leg, trip, isPartyShown = false }: LegPickerProps) {
  const { units } = useSettings();
  const { change } = usePurchase();
  const { outward, back } = useDraft();
  const plus = useOtherPrice({ catalogue, leg, trip });
  const id = LEG_IDS[leg];
  const isBack = leg === 'back';
  const chosen = isBack ? back : outward;
  const [from, to] = findLegPorts(trip, leg);
  const search = findSailingsSearch(catalogue, trip, leg, units);
  if (search === null) return null;
  const name = trip.tripType === 'one-way' ? null : isBack ? t('Return') : t('Outbound');
  const [fromName, toName] = [findPortName(catalogue, from), findPortName(catalogue, to)];
  const route = t('{from} to {to}', { from: keepOnOneLine(fromName), to: keepOnOneLine(toName) });
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
            title={name === null ? route : `${name}: ${route}`}
            route={findRoute(catalogue, from, to)}
            search={search}
            findDays={(days) => findDaysSearch(catalogue, trip, { leg, ...days }, units)}
            plus={plus}
            saysPrices={!isPartyShown || (plus === null && trip.tripType === 'return')}
            firstDay={isBack ? (outward ? localDay(outward.departsLocal) : trip.outDate) : earliest}
            lastDay={catalogue.onSaleUntil}
            notBefore={isBack && outward ? outward.arrivesAt : null}
            onChoose={choose}
            onDay={showDay}
          />
        ) : (
          <Card tone="highlight" className={styles.chosen}>
            <h2 id={id} tabIndex={-1} className={styles.title}>
              {name ?? t('Your sailing')}
            </h2>
            <p className={styles.day}>{formatShortDay(localDay(chosen.departsLocal))}</p>
            <Button size="small" variant="quiet" className={styles.change} onClick={() => choose(null)}>
              {t('Change sailing')}
            </Button>
            <div className={styles.times}>
              <SailingTimes sailing={chosen} />
              <SailingBadge sailing={chosen} />
              {chosen.statusText && <p>{chosen.statusText}</p>}
            </div>
          </Card>
        )}
      </Stack>
    </section>
  );
}

function keepOnOneLine(name: string): string {
  return name.replaceAll(' ', '\u00a0');
}

/**
 * The lowest price of a return trip's other journey, so that the lists show what both cost: of the chosen outward sailing,
 * or of the return's day. Null if there is none, and undefined until it is known.
 */
function useOtherPrice({
  catalogue,
  leg,
  trip,
}: Pick<StepProps, 'catalogue'> & { leg: Direction; trip: TripSearch }) {
  const { units } = useSettings();
  const { outward } = useDraft();
  const isOut = trip.tripType === 'return' && leg === 'out';
  const { backDate: day } = trip;
  const back = useQuery({
    ...sailingDaysQuery(findDaysSearch(catalogue, trip, { leg: 'back', from: day, to: day }, units)),
    enabled: isOut,
  });
  if (trip.tripType === 'one-way') return null;
  if (!isOut) return outward?.fromAmount ?? null;
  return back.isPending ? undefined : (back.data?.[0]?.fromAmount ?? null);
}

type DayOfSailingsProps = {
  id: string;
  title: string;
  /** Null for journeys with a change. */
  route: Route | null;
  search: SailingsQuery | ConnectionsQuery;
  findDays: (days: { from: IsoDate; to: IsoDate }) => SailingDaysQuery;
  plus: number | null | undefined;
  saysPrices: boolean;
  firstDay: IsoDate;
  lastDay: IsoDate;
  /** When the outward sailing arrives, for the return. */
  notBefore: string | null;
  onChoose: (sailing: Journey) => void;
  onDay: (day: IsoDate) => void;
};

function DayOfSailings(props: DayOfSailingsProps) {
  const { id, title, search, findDays, plus, saysPrices, firstDay, lastDay, notBefore, onChoose, onDay } =
    props;
  const { contact } = useSettings();
  const sailings = useQuery({ ...sailingsQuery(search), ...SAVED });
  const isFresh = useIsFresh(sailings);
  const day = search.date;
  const rows = {
    ...{ onChoose, phone: contact.phone },
    priceOf: ({ fromAmount }: Journey) =>
      fromAmount === null || plus === undefined ? null : fromAmount + (plus ?? 0),
  };
  const week = useWeek({ day, firstDay, lastDay });
  const days = useQuery({ ...sailingDaysQuery(findDays(week.week)), enabled: sailings.data !== undefined });
  const offered = sailings.data?.filter(({ departsAt }) => notBefore === null || departsAt >= notBefore);
  return (
    <>
      <DayStrip
        week={week}
        day={day}
        prices={plus === undefined ? undefined : days.data}
        plus={plus ?? 0}
        onDay={onDay}
      >
        <h2 id={id} tabIndex={-1} className={styles.title}>
          {title}
        </h2>
        <p aria-live="polite">{formatShortDay(day)}</p>
      </DayStrip>
      {offered ? (
        <>
          {!isFresh && <SavedSailings sailings={offered} />}
          {saysPrices && offered.some(canBuyOnline) && (
            <p className="note">{describePrices(search.vehicleType !== undefined, plus !== null)}</p>
          )}
          <DepartedSailings sailings={offered.filter(hasLeft)} {...rows} />
          <SailingList
            label={t('Sailings on {day}', { day: formatDay(day) })}
            sailings={offered.filter((sailing) => !hasLeft(sailing))}
            {...rows}
          />
          <BoatsAccessibility boats={listBoats(offered)} />
          {!offered.some(canBuyOnline) && <NothingToBuy {...props} isEmpty={offered.length === 0} />}
        </>
      ) : (
        <QueryFallback
          query={sailings}
          problem={t('The sailings could not be loaded')}
          loading={t('Loading the sailings…')}
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
    <Disclosure
      summary={t('{count, plural, one {# sailing has left} other {# sailings have left}}', { count })}
    >
      <SailingList label={t('Sailings that have left')} {...props} />
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
      title={isEmpty ? t('No sailings on this day') : t('No tickets left online for this day')}
      action={
        nextDay !== null && (
          <Button variant="secondary" onClick={() => onDay(nextDay)}>
            {t('Show {day}', { day: formatDay(nextDay) })}
          </Button>
        )
      }
    >
      {next.isPending
        ? t('Looking for the next day with sailings…')
        : nextDay !== null
          ? t('The next day with sailings is {day}.', { day: formatDay(nextDay) })
          : canReach
            ? rich('<contact></contact> and we will help you find a way.', {
                contact: () => <ContactWays isSentence />,
              })
            : t('Ask at the ticket booth.')}
    </EmptyState>
  );
}
