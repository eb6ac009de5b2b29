import { t } from '#web/language/texts.ts';
import type { Catalogue } from '#web/platform/api/types.ts';
import { lazyComponent } from '#web/platform/updates/missing-chunk.ts';
import { clampDay, type IsoDate } from '#web/ui/calendar/calendar.ts';
import type { CalendarPopupProps } from '#web/ui/calendar/calendar-popup.tsx';
import { DatePicker } from '#web/ui/calendar/date-picker.tsx';
import { IconButton } from '#web/ui/form/button.tsx';
import { Segmented } from '#web/ui/form/segmented.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import { Tooltip } from '#web/ui/popup/tooltip.tsx';
import { PortField } from './port-field.tsx';
import styles from './route-fields.module.css';
import type { TripFieldsProps } from './size-fields.tsx';
import { type DateProblems, tripFields } from './trip-problems.ts';
import {
  canTravel,
  changeOrigin,
  type Direction,
  destinationIds,
  nameTransferPorts,
  originIds,
  type TripSearch,
} from './trip-search.ts';

const PricedCalendar = lazyComponent(async () => (await import('./priced-calendar.tsx')).PricedCalendar);

type RouteFieldsProps = TripFieldsProps & {
  today: IsoDate;
  onDateProblem: (problems: DateProblems) => void;
};

export function RouteFields({ catalogue, trip, field, onChange, today, onDateProblem }: RouteFieldsProps) {
  const earliest = clampDay(today, catalogue.onSaleFrom, catalogue.onSaleUntil);
  const latest = catalogue.onSaleUntil;
  const canReturn = canTravel(catalogue, trip.to, trip.from);
  const withPrices = (leg: Direction) => (calendar: CalendarPopupProps) => (
    <PricedCalendar {...calendar} {...{ catalogue, trip, leg }} />
  );
  return (
    <Stack>
      <Segmented
        legend={t('One way or return')}
        isLegendHidden
        value={trip.tripType}
        onChange={(tripType) => onChange({ tripType })}
        options={[
          { value: 'one-way', label: t('One way') },
          // Translators: a trip there and back. The journey back is a "Return" too.
          { value: 'return', label: t('Return|both ways') },
        ]}
      />
      <div className={styles.ports}>
        <PortField
          label={t('From')}
          value={trip.from}
          ports={findPorts(catalogue, originIds(catalogue))}
          onChange={(from) => onChange(changeOrigin(catalogue, trip, from))}
        />
        <div className={styles.swap}>
          <Tooltip
            text={canReturn ? t('Travel in the other direction') : t('No sailings in the other direction')}
            placement="bottom"
          >
            <IconButton
              icon="swap"
              label={t('Swap from and to')}
              variant="secondary"
              aria-disabled={!canReturn}
              onClick={() => canReturn && onChange({ from: trip.to, to: trip.from })}
            />
          </Tooltip>
        </div>
        <PortField
          {...field(tripFields.to)}
          label={t('To')}
          value={trip.to}
          ports={findPorts(catalogue, destinationIds(catalogue, trip.from))}
          transferPorts={nameTransferPorts(catalogue, trip.from)}
          onChange={(to) => onChange({ to })}
        />
      </div>
      <div className={styles.dates}>
        <DatePicker
          {...field(tripFields.outDate)}
          label={t('Leave on')}
          value={trip.outDate}
          min={earliest}
          max={latest}
          today={today}
          renderCalendar={withPrices('out')}
          onChange={(outDate, problem) => {
            onDateProblem({ outDate: problem });
            onChange(changeOutDate(trip, outDate));
          }}
        />
        {trip.tripType === 'return' && (
          <DatePicker
            {...field(tripFields.backDate)}
            label={t('Return on')}
            value={trip.backDate}
            min={trip.outDate || earliest}
            max={latest}
            today={today}
            renderCalendar={withPrices('back')}
            hint={canReturn ? undefined : t('This route has no return sailings.')}
            onChange={(backDate, problem) => {
              onDateProblem({ backDate: problem });
              onChange({ backDate });
            }}
          />
        )}
      </div>
    </Stack>
  );
}

function findPorts({ ports }: Catalogue, ids: readonly string[]): Catalogue['ports'] {
  return ports.filter(({ id }) => ids.includes(id));
}

function changeOutDate({ backDate }: TripSearch, outDate: IsoDate): Partial<TripSearch> {
  return { outDate, backDate: backDate !== '' && outDate > backDate ? outDate : backDate };
}
