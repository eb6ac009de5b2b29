import type { ReactNode } from 'react';
import styles from './definition-list.module.css';

export type Definition = { term: ReactNode; details: ReactNode; key?: string | undefined };

export function DefinitionList({ items }: { items: Definition[] }) {
  return (
    <dl>
      {items.map((item, index) => (
        <div key={item.key ?? (typeof item.term === 'string' ? item.term : index)} className={styles.row}>
          <dt>{item.term}</dt>
          <dd>{item.details}</dd>
        </div>
      ))}
    </dl>
  );
}
