import { type ReactNode, useEffect, useRef } from 'react';
import styles from './row-list.module.css';

export type Row = { id: string; title: ReactNode; details: ReactNode; action?: ReactNode };

/** A list of passkeys, devices or shares. It takes the focus if the focused row is removed. */
export function RowList({ label, rows }: { label: string; rows: readonly Row[] }) {
  const list = useRef<HTMLUListElement>(null);
  const count = useRef(rows.length);
  useEffect(() => {
    const isFewer = rows.length < count.current;
    count.current = rows.length;
    if (isFewer && document.activeElement === document.body) list.current?.focus();
  }, [rows.length]);
  return (
    <ul ref={list} className={styles.list} aria-label={label} tabIndex={-1}>
      {rows.map(({ id, title, details, action }) => (
        <li key={id} className={styles.row} tabIndex={-1}>
          <div>
            <p className={styles.title}>{title}</p>
            <p className={styles.details}>{details}</p>
          </div>
          {action}
        </li>
      ))}
    </ul>
  );
}
