import { useId } from 'react';
import { SailingRow } from '#web/features/sailing/sailing-row.tsx';
import { formatClock } from '#web/features/site/local-time.ts';
import { t } from '#web/language/texts.ts';
import type { Journey } from '#web/platform/query/journey.ts';
import { Button } from '#web/ui/form/button.tsx';
import { Stack } from '#web/ui/layout/stack.tsx';
import styles from './sailing-list.module.css';

export type SailingListProps = {
  label: string;
  sailings: readonly Journey[];
  onChoose: (sailing: Journey) => void;
  /** Phone number of the ticket booth. */
  phone: string | null;
  /** What to show as the price; null for none. */
  priceOf: (sailing: Journey) => number | null;
};

/** More sailings than this are grouped by hour. */
const FEW = 20;
/** Hours between two times to jump to. */
const STEP = 3;

export function SailingList(props: SailingListProps) {
  const { sailings } = props;
  if (sailings.length === 0) return null;
  const showsLine = sailings.some(({ lineName }) => lineName !== sailings[0]?.lineName);
  const rows = { ...props, showsLine };
  return sailings.length > FEW ? <SailingsByHour {...rows} /> : <Rows {...rows} />;
}

type RowsProps = SailingListProps & { showsLine: boolean };

function Rows({ label, sailings, priceOf, ...row }: RowsProps) {
  return (
    <Stack as="ul" gap="sm" aria-label={label}>
      {sailings.map((sailing) => (
        <SailingRow key={sailing.id} sailing={sailing} price={priceOf(sailing)} {...row} />
      ))}
    </Stack>
  );
}

function SailingsByHour({ label, sailings, ...props }: RowsProps) {
  const id = useId();
  const groups = groupByHour(sailings);
  return (
    <Stack gap="sm">
      <nav aria-label={t('Jump to a time')} className={styles.times}>
        {findJumps(groups).map(({ key, time }) => (
          <Button key={key} size="small" variant="secondary" onClick={() => jumpTo(id + key)}>
            {time}
          </Button>
        ))}
      </nav>
      {groups.map(({ key, time, sailings }) => (
        <section key={key} aria-labelledby={id + key}>
          <h3 id={id + key} tabIndex={-1} className={styles.hour}>
            {time}
          </h3>
          <Rows label={t('{list}, from {time}', { list: label, time })} sailings={sailings} {...props} />
        </section>
      ))}
    </Stack>
  );
}

/** `key` is the local day and hour, `time` the hour for people. */
type HourGroup = { key: string; hour: number; time: string; sailings: Journey[] };

function groupByHour(sailings: readonly Journey[]): HourGroup[] {
  const groups: HourGroup[] = [];
  for (const sailing of sailings) {
    const key = sailing.departsLocal.slice(0, 13);
    const last = groups.at(-1);
    if (last?.key === key) last.sailings.push(sailing);
    else
      groups.push({ key, hour: Number(key.slice(11)), time: formatClock(`${key}:00`), sailings: [sailing] });
  }
  return groups;
}

/** The first group of every three hours. */
function findJumps(groups: readonly HourGroup[]): HourGroup[] {
  return groups.filter(({ hour }, index) => {
    const before = groups[index - 1];
    return before === undefined || Math.floor(before.hour / STEP) !== Math.floor(hour / STEP);
  });
}

function jumpTo(id: string): void {
  const heading = document.getElementById(id);
  heading?.scrollIntoView({ block: 'start' });
  heading?.focus({ preventScroll: true });
}
