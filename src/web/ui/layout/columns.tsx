import type { ReactNode } from 'react';
import styles from './columns.module.css';
import { Stack } from './stack.tsx';

type ColumnsProps = {
  children: ReactNode;
  /** Takes the rest of a wide screen. */
  aside: ReactNode;
  /** Last on narrow screens, below the content on wide ones. */
  below?: ReactNode;
};

/** Content as wide as a ticket with an aside, which stands below it on narrow screens. */
export function Columns({ children, aside, below }: ColumnsProps) {
  return (
    <div className={styles.columns}>
      <Stack gap="lg">{children}</Stack>
      {aside}
      {below && <div>{below}</div>}
    </div>
  );
}
