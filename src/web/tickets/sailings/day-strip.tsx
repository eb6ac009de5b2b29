import { type ReactNode, useState } from 'react';
import { formatShortDay } from '#web/features/site/local-time.ts';
import { t } from '#web/language/texts.ts';
import type { SailingDay } from '#web/platform/api/types.ts';
import { addDays, clampDay, type IsoDate } from '#web/ui/calendar/calendar.ts';
import { formatMoney } from '#web/ui/data/money.tsx';
import { IconButton } from '#web/ui/form/button.tsx';
import { nameDayState } from './day-prices.ts';
import styles from './day-strip.module.css';

/** The days shown at once. */
export type Week = { from: IsoDate; to: IsoDate };

const DAYS = 7;

type WeekLimits = { day: IsoDate; firstDay: IsoDate; lastDay: IsoDate };

/** The seven days around the chosen one, until others are turned to. They stay while one of them is chosen. */
export function useWeek({ day, firstDay, lastDay }: WeekLimits) {
  const latestStart = clampDay(addDays(lastDay, 1 - DAYS), firstDay);
  const clampStart = (start: IsoDate) => clampDay(start, firstDay, latestStart);
  const [shown, setShown] = useState({ day, start: clampStart(addDays(day, -3)) });
  const isInWeek = shown.start <= day && day < addDays(shown.start, DAYS);
  const start = clampStart(isInWeek || shown.day === day ? shown.start : addDays(day, -3));
  if (start !== shown.start || day !== shown.day) setShown({ day, start });
  return {
    week: { from: start, to: clampDay(addDays(start, DAYS - 1), undefined, lastDay) } satisfies Week,
    canGoBack: start > firstDay,
    canGoOn: start < latestStart,
    turn: (weeks: 1 | -1) => setShown({ day, start: clampStart(addDays(start, weeks * DAYS)) }),
  };
}

type DayStripProps = {
  /** The heading, between the arrows on phones. */
  children: ReactNode;
  week: ReturnType<typeof useWeek>;
  day: IsoDate;
  /** Undefined until they are loaded: the days can be chosen before. */
  prices: readonly SailingDay[] | undefined;
  /** Price of the other journey, contained in what is shown. */
  plus: number;
  onDay: (day: IsoDate) => void;
};

/** Days to choose from, each with its lowest price or why there is none. */
export function DayStrip({ children, week: shown, day, prices, plus, onDay }: DayStripProps) {
  const { week, canGoBack, canGoOn, turn } = shown;
  return (
    <div className={styles.strip} data-shows-day={week.from <= day && day <= week.to}>
      <div className={styles.heading}>{children}</div>
      <IconButton
        icon="chevron-left"
        label={t('Earlier days')}
        variant="secondary"
        aria-disabled={!canGoBack}
        onClick={() => canGoBack && turn(-1)}
      />
      <ul className={styles.days} aria-label={t('Days with their lowest price')}>
        {listDays(week).map((each) => (
          <li key={each}>
            <button
              type="button"
              className={styles.day}
              aria-pressed={each === day}
              onClick={() => each !== day && onDay(each)}
            >
              <span className={styles.date}>{breakAfterWeekday(formatShortDay(each))}</span>{' '}
              <DayPrice price={prices?.find((price) => price.day === each)} plus={plus} />
            </button>
          </li>
        ))}
      </ul>
      <IconButton
        icon="chevron-right"
        label={t('Later days')}
        variant="secondary"
        aria-disabled={!canGoOn}
        onClick={() => canGoOn && turn(1)}
      />
    </div>
  );
}

/** Keeps its room while the price is loading. */
function DayPrice({ price, plus }: { price: SailingDay | undefined; plus: number }) {
  if (price === undefined) return <span className={styles.state} />;
  if (price.state === 'on_sale' && price.fromAmount !== null) {
    return <span className={styles.price}>{formatMoney(price.fromAmount + plus, price.currency)}</span>;
  }
  return <span className={styles.state}>{nameDayState(price)}</span>;
}

function listDays({ from, to }: Week): IsoDate[] {
  const days: IsoDate[] = [];
  for (let day = from; day <= to; day = addDays(day, 1)) days.push(day);
  return days;
}

/** "Fri, Jun 5" in a narrow place: "Fri," above "Jun 5". */
function breakAfterWeekday(text: string): string {
  const [weekday, ...date] = text.split(' ');
  return [weekday, date.join('\u00a0')].join(' ');
}
