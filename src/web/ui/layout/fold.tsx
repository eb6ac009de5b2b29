import type { ReactNode } from 'react';
import { Icon } from '../icon.tsx';
import styles from './fold.module.css';

type FoldProps = {
  title: ReactNode;
  /** Beside the title: what is read without opening it. */
  note?: ReactNode;
  startsOpen?: boolean | undefined;
  onToggle?: () => void;
  children: ReactNode;
};

/** A card whose content a press on its title shows. It prints open. */
export function Fold({ title, note, startsOpen = false, onToggle, children }: FoldProps) {
  return (
    <details className={styles.fold} open={startsOpen} onToggle={onToggle}>
      <summary className={styles.summary}>
        <span className={styles.head}>
          <h2 className={styles.title}>{title}</h2>
          {note && <span className={styles.note}>{note}</span>}
        </span>
        <Icon name="chevron-down" className={styles.chevron} />
      </summary>
      <div className={styles.content}>{children}</div>
    </details>
  );
}

/** Folds as the rows of one card, side by side where it is wide. */
export function FoldGroup({ children }: { children: ReactNode }) {
  return <div className={styles.group}>{children}</div>;
}
