import type { ReactNode } from 'react';
import { Icon, type IconName } from '../icon.tsx';
import styles from './badge.module.css';

export type BadgeTone = 'neutral' | 'info' | 'success' | 'warning' | 'danger' | 'accent';
type BadgeProps = { tone?: BadgeTone | undefined; icon?: IconName | undefined; children: ReactNode };

export function Badge({ tone = 'neutral', icon, children }: BadgeProps) {
  return (
    <span className={styles.badge} data-tone={tone}>
      {icon && <Icon name={icon} size="small" />}
      {children}
    </span>
  );
}
