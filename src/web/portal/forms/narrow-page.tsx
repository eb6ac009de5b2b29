import type { ReactNode } from 'react';
import { Stack } from '#web/ui/layout/stack.tsx';
import styles from './narrow-page.module.css';

/** The width of a screen with one form. */
export function NarrowPage({ children }: { children: ReactNode }) {
  return <div className={styles.page}>{children}</div>;
}

/** Links below the form. */
export function SmallPrint({ children }: { children: ReactNode }) {
  return (
    <Stack gap="sm" className={styles.small}>
      {children}
    </Stack>
  );
}
