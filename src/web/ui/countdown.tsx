import { type ReactNode, useEffect, useEffectEvent, useState } from 'react';
import styles from './countdown.module.css';

export type CountdownProps = {
  /** An ISO instant. */
  expiresAt: string;
  /** The clock in milliseconds; the system's unless given. */
  now?: (() => number) | undefined;
  label?: ReactNode;
  onExpire?: (() => void) | undefined;
};

const ANNOUNCED_MINUTES = [5, 2, 1];

export function Countdown({ expiresAt, now = Date.now, label, onExpire }: CountdownProps) {
  const deadline = Date.parse(expiresAt);
  const [seconds, setSeconds] = useState(() => secondsBetween(now(), deadline));
  const [announcement, setAnnouncement] = useState('');
  const readSeconds = useEffectEvent(() => secondsBetween(now(), deadline));
  const expire = useEffectEvent(() => onExpire?.());

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let before = Number.POSITIVE_INFINITY;
    function tick() {
      const left = readSeconds();
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
  }, []);

  return (
    <span className={styles.countdown} data-urgent={seconds <= 60 || undefined}>
      {label && <span className={styles.label}>{label}</span>}
      <span role="timer" aria-live="off" className={styles.time}>
        {formatRemaining(seconds)}
      </span>
      <output className="visually-hidden">{announcement}</output>
    </span>
  );
}

export function formatRemaining(seconds: number): string {
  const twoDigits = (part: number) => String(part).padStart(2, '0');
  return `${twoDigits(Math.floor(seconds / 60))}:${twoDigits(seconds % 60)}`;
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
