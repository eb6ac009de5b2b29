import type { ReactNode } from 'react';
import styles from './action-list.module.css';

/** What can be done here, one action a row: quiet block buttons and links, disclosures with an icon, notes. */
export function ActionList({ label, children }: { label: string; children: ReactNode }) {
  return (
    <section className={styles.list} aria-label={label} data-no-print="">
      {children}
    </section>
  );
}
