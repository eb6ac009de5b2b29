import type { ElementType, ReactNode } from 'react';
import { classes } from '../classes.ts';
import { Icon, type IconName } from '../icon.tsx';
import styles from './empty-state.module.css';

type EmptyStateProps = {
  title: ReactNode;
  titleAs?: ElementType | undefined;
  children?: ReactNode;
  icon?: IconName | undefined;
  action?: ReactNode;
};

export function EmptyState({ title, titleAs: Title = 'h2', children, icon, action }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      {icon && <Icon name={icon} size="large" className="muted" />}
      <Title className={styles.title}>{title}</Title>
      {children && <div className={classes('muted', styles.text)}>{children}</div>}
      {action}
    </div>
  );
}
