import type { ReactNode } from 'react';
import { type Message, message } from '#messages/translate.ts';
import { t } from '#web/language/texts.ts';
import { IconButton } from '../form/button.tsx';
import { Icon, type IconName } from '../icon.tsx';
import styles from './notice.module.css';

export type NoticeType = 'success' | 'alert' | 'warning' | 'message';

type NoticeProps = {
  type?: NoticeType | undefined;
  title?: ReactNode;
  children?: ReactNode;
  onDismiss?: (() => void) | undefined;
  action?: ReactNode;
  /** For a notice that appears later: read out at once (alert) or at the next pause (status). */
  role?: 'alert' | 'status' | undefined;
};

const TYPES: Record<NoticeType, { icon: IconName; label: Message; tone: string }> = {
  success: { icon: 'check', label: message('Success'), tone: 'success' },
  alert: { icon: 'warning', label: message('Problem'), tone: 'danger' },
  warning: { icon: 'warning', label: message('Warning'), tone: 'warning' },
  message: { icon: 'info', label: message('Message'), tone: 'info' },
};

/** Why an action failed, read out at once; nothing without a text. */
export function Problem({ text }: { text: string | null | undefined }) {
  if (!text) return null;
  return (
    <Notice type="alert" role="alert">
      {text}
    </Notice>
  );
}

export function Notice({ type = 'message', title, children, onDismiss, action, role }: NoticeProps) {
  const { icon, label, tone } = TYPES[type];
  return (
    <div className={styles.notice} data-tone={tone} role={role}>
      <Icon name={icon} label={t(label)} className={styles.icon} />
      <div className={styles.text}>
        {title && <p className={styles.title}>{title}</p>}
        {children && <div>{children}</div>}
        {action && <div className={styles.action}>{action}</div>}
      </div>
      {onDismiss && (
        <IconButton icon="close" label={t('Dismiss')} className={styles.dismiss} onClick={onDismiss} />
      )}
    </div>
  );
}
