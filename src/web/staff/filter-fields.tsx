import type { ReactNode } from 'react';
import styles from './filter-fields.module.css';

/** What a list is filtered by: as many fields in a row as fit, with their controls on one line. */
export function FilterFields({ children }: { children: ReactNode }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: older browsers do not know the element
    <div role="search" className={styles.fields}>
      {children}
    </div>
  );
}
