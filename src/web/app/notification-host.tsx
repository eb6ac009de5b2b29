import { useEffect } from 'react';
import {
  hideNotification,
  markDisplayed,
  type Notification,
  setNotifyReload,
  useNotifications,
} from '#web/platform/notifications/notifications.ts';
import { reloadPage } from '#web/platform/updates/reload.ts';
import { Button } from '#web/ui/button.tsx';
import { NotificationList, type ToastNotification } from '#web/ui/toasts.tsx';

const RELOAD: ToastNotification = {
  id: 'reload',
  message: 'This page is out of date. Please reload it.',
  type: 'warning',
  persistent: true,
  visible: true,
  action: (
    <Button size="small" variant="secondary" onClick={reloadPage}>
      Reload
    </Button>
  ),
};

export function NotificationHost() {
  const { items, notifyReload } = useNotifications();
  useEffect(() => {
    for (const item of items) if (isFreshlyShown(item)) markDisplayed(item.id);
  }, [items]);
  const toasts = items.map(toToast);
  return <NotificationList notifications={notifyReload ? [...toasts, RELOAD] : toasts} onDismiss={dismiss} />;
}

/** Persistent ones outlive navigations until they are hidden by hand. */
function isFreshlyShown({ visible, displayed, persistent }: Notification): boolean {
  return visible && !displayed && !persistent;
}

function dismiss(id: string): void {
  if (id === RELOAD.id) setNotifyReload(false);
  else hideNotification(id);
}

function toToast({ id, message, callback, type, persistent, visible }: Notification): ToastNotification {
  const toast: ToastNotification = { id, message, type, persistent, visible };
  if (callback === null) return toast;
  const act = () => {
    hideNotification(id);
    callback();
  };
  return {
    ...toast,
    action: (
      <Button size="small" variant="secondary" onClick={act}>
        Continue
      </Button>
    ),
  };
}
