import { type ReactNode, useEffect, useRef } from 'react';
import styles from './gallery.module.css';

export type ShownState = 'hover' | 'focus' | 'active';

/** One control with all its states side by side. */
export function Specimens({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.specimens}>
      <h3>{title}</h3>
      <div className={styles.specimenGrid}>{children}</div>
    </section>
  );
}

export type SpecimenProps = {
  /** What state it is in, in words. */
  name: string;
  /** A state that needs a hand otherwise, put on the control inside. */
  shown?: ShownState | undefined;
  /** Which part is the control, where it is not the first. */
  on?: string | undefined;
  children: ReactNode;
};

export function Specimen({
  name,
  shown,
  on = 'button, a, input, select, textarea',
  children,
}: SpecimenProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const control = box.current?.querySelector<HTMLElement>(on);
    if (shown && control) control.dataset.shown = shown;
  }, [shown, on]);
  return (
    <div className={styles.specimen}>
      <p className={styles.state}>{name}</p>
      <div ref={box}>{children}</div>
    </div>
  );
}
