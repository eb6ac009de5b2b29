import type { ComponentProps, ReactNode } from 'react';
import { Icon, type IconName } from '../icon.tsx';
import styles from './disclosure.module.css';

export type DisclosureProps = ComponentProps<'details'> & { summary: ReactNode; icon?: IconName };

/** Content that is folded away behind one line until it is asked for. */
export function Disclosure({ summary, icon, children, ...details }: DisclosureProps) {
  return (
    <details {...details}>
      <summary className={styles.summary}>
        {icon && <Icon name={icon} />}
        {summary}
      </summary>
      {children}
    </details>
  );
}

/** Folds it and returns the focus to its line. */
export function closeDisclosure(details: HTMLDetailsElement | null): void {
  if (details === null) return;
  details.open = false;
  details.querySelector('summary')?.focus();
}
