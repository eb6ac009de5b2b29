import { useEffect, useEffectEvent, useState } from 'react';
import { t } from '#web/language/texts.ts';
import styles from './countdown.module.css';

type Countdown = {
  /** An ISO instant. */
  expiresAt: string;
  /** The clock in milliseconds. */
  now: () => number;
  onExpire: () => void;
};

const ANNOUNCED_MINUTES = [5, 2, 1];

/** The seconds left, and the text to announce at 5, 2 and 1 minutes. */
export function useCountdown({ expiresAt, now, onExpire }: Countdown) {
  const deadline = Date.parse(expiresAt);
  const [seconds, setSeconds] = useState(() => secondsBetween(now(), deadline));
  const [announcement, setAnnouncement] = useState('');
  const readClock = useEffectEvent(() => now());
  const expire = useEffectEvent(() => onExpire());

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let before = Number.POSITIVE_INFINITY;
    setAnnouncement('');
    function tick() {
      const left = secondsBetween(readClock(), deadline);
      setSeconds(left);
      const isAnnounced = ANNOUNCED_MINUTES.some((minutes) => before > minutes * 60 && left <= minutes * 60);
      if (isAnnounced && before !== Number.POSITIVE_INFINITY) setAnnouncement(formatLeft(left));
      before = left;
      if (left === 0) expire();
      else timer = setTimeout(tick, 1000);
    }
    tick();
    return () => clearTimeout(timer);
  }, [deadline]);

  return { seconds, announcement };
}

/** Shows the time left, without the announcements. */
export function Remaining({ seconds, label }: { seconds: number; label: string }) {
  return (
    <span className={styles.countdown} data-urgent={seconds <= 60 || undefined}>
      <span className="note">{label}</span>
      <span role="timer" aria-live="off" className={styles.time}>
        {formatRemaining(seconds)}
      </span>
    </span>
  );
}

/** "9:05", or "1:59:05" for more than an hour. */
export function formatRemaining(seconds: number): string {
  const two = (count: number) => String(count).padStart(2, '0');
  const minutes = Math.floor(seconds / 60);
  const clock = `${minutes % 60}:${two(seconds % 60)}`;
  return minutes < 60 ? clock : `${Math.floor(minutes / 60)}:${clock.padStart(5, '0')}`;
}

/** After the device slept, the time that is really left, which may be less than the announced minutes. */
function formatLeft(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  return t('{minutes, plural, =0 {Less than a minute left} one {# minute left} other {# minutes left}}', {
    minutes,
  });
}

function secondsBetween(from: number, to: number): number {
  return Math.max(0, Math.ceil((to - from) / 1000));
}
