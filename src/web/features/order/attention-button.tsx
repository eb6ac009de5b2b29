import type { ReactNode } from 'react';
import styles from './attention.module.css';
import { ATTENTION } from './order-status.ts';

/** Around the badge of an order that needs a choice: leads to the choice. */
export function AttentionButton({ children }: { children: ReactNode }) {
  return (
    <button
      type="button"
      className={styles.button}
      data-no-print=""
      onClick={() => showAttention(document.getElementById(ATTENTION))}
    >
      {children}
    </button>
  );
}

export function showAttention(section: HTMLElement | null): void {
  section?.scrollIntoView();
  section?.focus({ preventScroll: true });
}
