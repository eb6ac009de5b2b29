import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import styles from './countdown.module.css';

type CountdownInput = {
  /** An ISO instant. */
  expiresAt: string;
  /** The clock in milliseconds; the system's unless given. */
  now?: (() => number) | undefined;
  onExpire?: (() => void) | undefined;
};

export type CountdownProps = CountdownInput & { label?: ReactNode };

const ANNOUNCED_MINUTES = [5, 2, 1];

export function Countdown({ label, ...input }: CountdownProps) {
  const { seconds, announcement } = useCountdown(input);
  return (
    <>
      <Remaining seconds={seconds} label={label} />
      <output className="visually-hidden">{announcement}</output>
    </>
  );
}

/** The seconds left, and the text to announce at 5, 2 and 1 minutes. */
export function useCountdown({ expiresAt, now = Date.now, onExpire }: CountdownInput) {
  const deadline = Date.parse(expiresAt);
  const [seconds, setSeconds] = useState(() => secondsBetween(now(), deadline));
  const [announcement, setAnnouncement] = useState('');
  const readClock = useEffectEvent(() => now());
  const expire = useEffectEvent(() => onExpire?.());

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let before = Number.POSITIVE_INFINITY;
    setAnnouncement('');
    function tick() {
      const left = secondsBetween(readClock(), deadline);
      setSeconds(left);
      const isAtMark = ANNOUNCED_MINUTES.some((mark) => before > mark * 60 && left <= mark * 60);
      if (isAtMark && before !== Number.POSITIVE_INFINITY) {
        setAnnouncement(formatLeft(left));
      }
      before = left;
      if (left === 0) expire();
      else timer = setTimeout(tick, 1000);
    }
    tick();
    return () => clearTimeout(timer);
  }, [deadline]);

  return { seconds, announcement };
}

/** The clock itself, without its announcements. */
export function Remaining({ seconds, label }: { seconds: number; label?: ReactNode }) {
  return (
    <span className={styles.countdown} data-urgent={seconds <= 60 || undefined}>
      {label && <span className={styles.label}>{label}</span>}
      <span role="timer" aria-live="off" className={styles.time}>
        {formatRemaining(seconds)}
      </span>
    </span>
  );
}

export function formatRemaining(seconds: number): string {
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

/** A page that slept says how long there really is, not which mark it missed. */
function formatLeft(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes === 0) return 'Less than a minute left';
  return minutes === 1 ? '1 minute left' : `${minutes} minutes left`;
}

function secondsBetween(from: number, to: number): number {
  return Math.max(0, Math.ceil((to - from) / 1000));
}
