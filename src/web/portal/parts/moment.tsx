import { formatMoment, formatWhenFirst } from './moments.ts';

export type MomentProps = {
  instant: string;
  /** In milliseconds. */
  now: number;
};

/** "Today, 8:12 AM" where a line begins. What is painted of it on another day names the date. */
export function Moment({ instant, now }: MomentProps) {
  return (
    <time dateTime={instant} data-paint={formatMoment(instant, now)}>
      {formatWhenFirst(instant, now)}
    </time>
  );
}
