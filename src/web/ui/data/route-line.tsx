import type { ReactNode } from 'react';
import { t } from '#web/language/texts.ts';
import { classes } from '../classes.ts';
import styles from './route-line.module.css';
import { ShownTime, type ShownTimeProps } from './shown-time.tsx';

type RouteEnd = {
  place: ReactNode;
  time?: ShownTimeProps;
  note?: ReactNode;
};

export type RouteLineProps = {
  from: RouteEnd;
  to: RouteEnd;
  duration?: ReactNode;
  size?: 'large' | undefined;
};

export function RouteLine({ from, to, duration, size }: RouteLineProps) {
  return (
    <div className={styles.route}>
      <div className={classes(styles.journey, size === 'large' && styles.large)}>
        {/* Translators: before the time and the port of departure, for screen readers. */}
        <End end={from} spoken={t('From')} />
        <div className={styles.line}>
          <span className={styles.track} aria-hidden="true" />
          {duration && <span className={styles.duration}>{duration}</span>}
        </div>
        {/* Translators: before the time and the port of arrival, for screen readers. */}
        <End end={to} spoken={t('to')} />
      </div>
    </div>
  );
}

function End({ end, spoken }: { end: RouteEnd; spoken: string }) {
  return (
    <div className={styles.end}>
      <span className="visually-hidden">{spoken} </span>
      {end.time && (
        <span className={classes(styles.time, end.time.replaced != null && styles.late)}>
          <ShownTime {...end.time} />
        </span>
      )}
      <span className={styles.place}>{end.place}</span>
      {end.note && <span className={styles.note}>{end.note}</span>}
    </div>
  );
}
