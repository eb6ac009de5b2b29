import type { ComponentProps, ReactNode } from 'react';
import { Icon, type IconName } from '../icon.tsx';
import styles from './disclosure.module.css';

type DisclosureProps = ComponentProps<'details'> & { summary: ReactNode; icon?: IconName };

/** Content that a press on its summary shows. */
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

/** Closes it and returns the focus to its summary. */
export function closeDisclosure(details: HTMLDetailsElement | null): void {
  if (details === null) return;
  details.open = false;
  details.querySelector('summary')?.focus();
}
