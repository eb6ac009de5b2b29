import type { ReactNode } from 'react';
import styles from './filter-fields.module.css';

/** What a list is filtered by: as many fields in a row as fit, with their controls on one line. */
export function FilterFields({ children }: { children: ReactNode }) {
  return <search className={styles.fields}>{children}</search>;
}
