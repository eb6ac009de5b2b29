import type { ReactNode } from 'react';
import { t } from '#web/language/texts.ts';
import styles from './balance-chart.module.css';
import {
  type BalancePoint,
  findHeight,
  findScale,
  HEIGHT,
  linePath,
  topUpsPath,
  WIDTH,
} from './balance-line.ts';

type BalanceChartProps = {
  title: string;
  /** One sentence about the line, for screen readers. */
  summary: string;
  /** Oldest first. */
  points: readonly BalancePoint[];
  /** The time at which the last balance was read. */
  until: number;
  /** Of the amounts beside the lines. */
  formatAmount: (amount: number) => string;
  /** Below the two ends of the line. */
  startText: ReactNode;
  endText: ReactNode;
};

/** A picture of the list beside it. */
export function BalanceChart(props: BalanceChartProps) {
  const { title, summary, points, until, formatAmount, startText, endText } = props;
  const scale = findScale(points, until);
  const line = linePath(points, scale);
  const topUps = topUpsPath(points, scale);
  const floor = findHeight(0, scale);
  return (
    <figure>
      <figcaption className={styles.caption}>
        <span className={styles.title}>{title}</span>
        {topUps !== '' && (
          <span className={styles.key}>
            <span className={styles.dot} aria-hidden="true" />
            {t('Top-up')}
          </span>
        )}
      </figcaption>
      <div className={styles.plot} role="img" aria-label={summary}>
        <div className={styles.amounts}>
          {scale.ticks.map((amount) => (
            <span key={amount}>{formatAmount(amount)}</span>
          ))}
        </div>
        <svg
          className={styles.drawing}
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          preserveAspectRatio="none"
          aria-hidden="true"
        >
          {scale.ticks.map((amount) => (
            <path
              key={amount}
              className={amount === 0 ? styles.zero : styles.grid}
              d={`M0 ${findHeight(amount, scale)}H${WIDTH}`}
            />
          ))}
          <path className={styles.area} d={`${line}V${floor}H0Z`} />
          <path className={styles.line} d={line} />
          <path className={styles.topUps} d={topUps} />
        </svg>
        <div className={styles.times}>
          <span>{startText}</span>
          <span>{endText}</span>
        </div>
      </div>
    </figure>
  );
}
