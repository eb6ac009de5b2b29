import type { ReactNode } from 'react';
import { Stack } from '#web/ui/layout/stack.tsx';
import styles from './narrow-page.module.css';

/** One form and what belongs to it. */
export function NarrowPage({ children }: { children: ReactNode }) {
  return <div className={styles.page}>{children}</div>;
}

/** Where else to go, below the form. */
export function SmallPrint({ children }: { children: ReactNode }) {
  return (
    <Stack gap="sm" className={styles.small}>
      {children}
    </Stack>
  );
}
