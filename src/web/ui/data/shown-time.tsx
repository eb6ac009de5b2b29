import { rich } from '#web/language/rich.ts';
import { hidden } from '#web/language/tags.tsx';
import { classes } from '../classes.ts';
import styles from './shown-time.module.css';

export type ShownTimeProps = {
  text: string;
  /** The time that no longer holds, which is struck; null: there is none. */
  replaced?: string | null | undefined;
  /** Of `text`, in milliseconds since 1970. */
  instant?: number | undefined;
  className?: string | undefined;
};

/** A departure or an arrival. Assistive technology reads which of two times is the true one. */
export function ShownTime({ text, replaced = null, instant, className }: ShownTimeProps) {
  const dateTime = instant === undefined ? undefined : new Date(instant).toISOString();
  if (replaced === null) {
    return (
      <time className={className} dateTime={dateTime}>
        {text}
      </time>
    );
  }
  return (
    <>
      <s className={classes(styles.replaced, className)}>
        {rich('<hidden>planned </hidden>{time}', { hidden, time: replaced })}
      </s>{' '}
      <time className={classes(styles.expected, className)} dateTime={dateTime}>
        {rich('<hidden>expected </hidden>{time}', { hidden, time: text })}
      </time>
    </>
  );
}
