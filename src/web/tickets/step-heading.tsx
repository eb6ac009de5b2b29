import { type ReactNode, useEffect, useEffectEvent, useRef } from 'react';
import { useLocation } from 'react-router';
import styles from './step-heading.module.css';

/** The focus follows to the new step, but is left alone on the page that was opened. */
export function StepHeading({ children, intro }: { children: ReactNode; intro?: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { key } = useLocation();
  const takeFocus = useEffectEvent(() => {
    if (key !== 'default') heading.current?.focus({ preventScroll: true });
  });
  useEffect(() => takeFocus(), []);
  return (
    <header className={styles.header}>
      <h1 ref={heading} tabIndex={-1} className={styles.heading}>
        {children}
      </h1>
      {intro && <p className={styles.intro}>{intro}</p>}
    </header>
  );
}
