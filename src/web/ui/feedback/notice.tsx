import type { ReactNode } from 'react';
import { classes } from '../classes.ts';
import { IconButton } from '../form/button.tsx';
import { Icon, type IconName } from '../icon.tsx';
import styles from './notice.module.css';

export type NoticeType = 'success' | 'alert' | 'warning' | 'message';

export type NoticeProps = {
  type?: NoticeType | undefined;
  title?: ReactNode;
  children?: ReactNode;
  onDismiss?: (() => void) | undefined;
  action?: ReactNode;
  /** For one that appears in answer to something: read out at once (alert) or when there is a pause (status). */
  role?: 'alert' | 'status' | undefined;
};

const icons: Record<NoticeType, IconName> = {
  success: 'check',
  alert: 'warning',
  warning: 'warning',
  message: 'info',
};

const spokenTypes: Record<NoticeType, string> = {
  success: 'Success',
  alert: 'Problem',
  warning: 'Warning',
  message: 'Message',
};

export function Notice({ type = 'message', title, children, onDismiss, action, role }: NoticeProps) {
  return (
    <div className={classes(styles.notice, styles[type])} role={role}>
      <Icon name={icons[type]} label={spokenTypes[type]} className={styles.icon} />
      <div className={styles.text}>
        {title && <p className={styles.title}>{title}</p>}
        {children && <div>{children}</div>}
        {action && <div className={styles.action}>{action}</div>}
      </div>
      {onDismiss && (
        <IconButton icon="close" label="Dismiss" className={styles.dismiss} onClick={onDismiss} />
      )}
    </div>
  );
}
