import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { LegSummary } from '#web/features/order/leg-summary.tsx';
import { canBuyOnline, hasLeft, SailingRow } from '#web/features/sailing/sailing-row.tsx';
import { useIsFresh } from '#web/features/saved-offline/saved-age.tsx';
import { ContactWays, useCanReach } from '#web/features/site/contact-ways.tsx';
import { LoadProblem } from '#web/features/site/load-problem.tsx';
import { formatDay, formatShortDay } from '#web/features/site/local-time.ts';
import type { Route, Sailing, SailingsQuery } from '#web/platform/api/types.ts';
import { sailingsQuery } from '#web/platform/query/queries.ts';
import { useSettings } from '#web/platform/settings/settings.ts';
import { addDays, type IsoDate } from '#web/ui/calendar/calendar.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { Button, IconButton } from '#web/ui/form/button.tsx';
import { Card } from '#web/ui/layout/card.tsx';
import { Disclosure } from '#web/ui/layout/disclosure.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { KEPT_SAILINGS, SavedSailings } from './kept-sailings.tsx';
import styles from './leg-picker.module.css';
import { nextSailingDayQuery } from './queries.ts';

export type LegPickerProps = {
  id: string;
  /** Which leg of a return trip it is; null for a trip of one leg. */
  title: string | null;
  from: string;
  to: string;
  route: Route;
  search: SailingsQuery;
  firstDay: IsoDate;
  lastDay: IsoDate;
  /** The return is only offered from when the outward boat has arrived. */
  notBefore: string | null;
  chosen: Sailing | null;
  onChoose: (sailing: Sailing | null) => void;
  onDay: (day: IsoDate) => void;
};

export function LegPicker(props: LegPickerProps) {
  const { id, title, from, to, chosen, onChoose } = props;
  return (
    <section aria-labelledby={id}>
      <Stack gap="sm">
        {chosen === null ? (
          <DayOfSailings {...props} />
        ) : (
          <Card tone="accent">
            <h2 id={id} tabIndex={-1} className={styles.title}>
              {title ?? 'Your sailing'}
            </h2>
            <LegSummary crossing={chosen} from={from} to={to} />
            <div className={styles.chosen}>
              <span>{chosen.vessel.name}</span>
              <Button size="small" variant="quiet" onClick={() => onChoose(null)}>
                Change sailing
              </Button>
            </div>
          </Card>
        )}
      </Stack>
    </section>
  );
}

function LegTitle({ id, title, from, to }: Pick<LegPickerProps, 'id' | 'title' | 'from' | 'to'>) {
  return (
    <h2 id={id} tabIndex={-1} className={styles.title}>
      {title === null ? '' : `${title}: `}
      {whole(from)} to {whole(to)}
    </h2>
  );
}

/** A port’s name stays on one line. */
function whole(name: string): string {
  return name.replaceAll(' ', '\u00a0');
}

function DayOfSailings(props: LegPickerProps) {
  const { route, search, firstDay, lastDay, notBefore, onChoose, onDay } = props;
  const sailings = useQuery({ ...sailingsQuery(search), ...KEPT_SAILINGS });
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
        <div className={styles.where}>
          <LegTitle {...props} />
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
            <p className={styles.note}>
              Prices are for your whole party{search.vehicleType ? ' and vehicle' : ''}, one way.
            </p>
          )}
          <LeftSailings sailings={offered.filter(hasLeft)} onChoose={onChoose} />
          <SailingList
            label={`Sailings on ${formatDay(day)}`}
            sailings={offered.filter((sailing) => !hasLeft(sailing))}
            onChoose={onChoose}
          />
          {!offered.some(canBuyOnline) && (
            <NothingToBuy
              route={route}
              day={day}
              lastDay={lastDay}
              isEmpty={offered.length === 0}
              onDay={onDay}
            />
          )}
        </>
      ) : sailings.isError ? (
        <LoadProblem title="The sailings could not be loaded" query={sailings} />
      ) : (
        <output>
          <span className="visually-hidden">Loading the sailings…</span>
          <Skeleton height="6.5rem" lines={4} />
        </output>
      )}
    </>
  );
}

type SailingListProps = Pick<LegPickerProps, 'onChoose'> & { label: string; sailings: readonly Sailing[] };

function SailingList({ label, sailings, onChoose }: SailingListProps) {
  const { contact } = useSettings();
  if (sailings.length === 0) return null;
  return (
    <ul className={styles.list} aria-label={label}>
      {sailings.map((sailing) => (
        <SailingRow key={sailing.id} sailing={sailing} onChoose={onChoose} phone={contact.phone} />
      ))}
    </ul>
  );
}

/** Behind one line: in the afternoon the boats of the morning would fill the first screen. */
function LeftSailings(props: Omit<SailingListProps, 'label'>) {
  const count = props.sailings.length;
  if (count === 0) return null;
  return (
    <Disclosure summary={count === 1 ? '1 sailing has left' : `${count} sailings have left`}>
      <SailingList label="Sailings that have left" {...props} />
    </Disclosure>
  );
}

type NothingToBuyProps = {
  route: Route;
  day: IsoDate;
  lastDay: IsoDate;
  isEmpty: boolean;
  onDay: (day: IsoDate) => void;
};

function NothingToBuy({ route, day, lastDay, isEmpty, onDay }: NothingToBuyProps) {
  const canReach = useCanReach();
  const next = useQuery(nextSailingDayQuery(route.id, day));
  const nextDay = next.data != null && next.data <= lastDay ? next.data : null;
  const call = canReach ? (
    <>
      <ContactWays isSentence /> and we will help you find a way.
    </>
  ) : (
    'Ask at the ticket booth.'
  );
  let text: ReactNode = nextDay === null ? call : `The next day with sailings is ${formatDay(nextDay)}.`;
  if (next.isPending) text = 'Looking for the next day with sailings…';
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
      {text}
    </EmptyState>
  );
}
