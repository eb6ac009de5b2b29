import type { ReactNode } from 'react';
import { Notice, type NoticeType } from './notice.tsx';
import styles from './toasts.module.css';

export type ToastNotification = {
  id: string;
  message: ReactNode;
  type: NoticeType;
  persistent: boolean;
  visible: boolean;
  action?: ReactNode;
};

export type NotificationListProps = {
  notifications: readonly ToastNotification[];
  onDismiss: (id: string) => void;
};

/** Keep it in the page from the start: a live region that arrives with its text is not read out. */
export function NotificationList({ notifications, onDismiss }: NotificationListProps) {
  const visible = notifications.filter((notification) => notification.visible);
  const urgent = visible.filter(isUrgent);
  const calm = visible.filter((notification) => !isUrgent(notification));
  return (
    <section className={styles.list} aria-label="Notifications">
      <div role="alert" className={styles.region}>
        {urgent.map((notification) => (
          <Toast key={notification.id} notification={notification} onDismiss={onDismiss} />
        ))}
      </div>
      <output className={styles.region}>
        {calm.map((notification) => (
          <Toast key={notification.id} notification={notification} onDismiss={onDismiss} />
        ))}
      </output>
    </section>
  );
}

type ToastProps = { notification: ToastNotification; onDismiss: (id: string) => void };

function Toast({ notification, onDismiss }: ToastProps) {
  return (
    <Notice
      type={notification.type}
      action={notification.action}
      onDismiss={() => onDismiss(notification.id)}
    >
      {notification.message}
    </Notice>
  );
}

function isUrgent({ type }: ToastNotification): boolean {
  return type === 'alert' || type === 'warning';
}
