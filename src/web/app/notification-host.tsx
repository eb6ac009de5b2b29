import { type Message, message } from '#messages/translate.ts';
import { t } from '#web/language/texts.ts';
import {
  hideNotification,
  markDisplayed,
  type Notification,
  type ReloadReason,
  setNotifyReload,
  useNotifications,
} from '#web/platform/notifications/notifications.ts';
import { reloadPage } from '#web/platform/updates/reload.ts';
import { NotificationList, type ToastNotification } from '#web/ui/feedback/toasts.tsx';
import { Button } from '#web/ui/form/button.tsx';

const RELOAD_ID = 'reload';

export function NotificationHost() {
  const { items, notifyReload, reloadReason = 'outdated' } = useNotifications();
  const toasts = items.map(toToast);
  return (
    <NotificationList
      notifications={notifyReload ? [...toasts, reloadToast(reloadReason)] : toasts}
      onDismiss={dismiss}
      onShown={(id) => {
        // Persistent notifications outlive navigations.
        if (items.some((item) => item.id === id && !item.persistent)) markDisplayed(id);
      }}
    />
  );
}

function dismiss(id: string): void {
  if (id === RELOAD_ID) setNotifyReload(false);
  else hideNotification(id);
}

const RELOAD_TEXTS: Record<ReloadReason, Message> = {
  outdated: message('This page is out of date. Please reload it.'),
  ready: message('A new version is ready. Reload when you have finished.'),
  failed: message('The new version could not start yet. Please try again.'),
};

function reloadToast(reason: ReloadReason): ToastNotification {
  return {
    id: RELOAD_ID,
    message: t(RELOAD_TEXTS[reason]),
    type: reason === 'ready' ? 'message' : 'warning',
    persistent: true,
    visible: true,
    action: (
      <Button size="small" variant="secondary" onClick={reloadPage}>
        {reason === 'failed' ? t('Try again') : t('Reload')}
      </Button>
    ),
  };
}

function toToast(notification: Notification): ToastNotification {
  const { id, message, callback, callbackLabel, type, persistent, visible } = notification;
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
        {callbackLabel}
      </Button>
    ),
  };
}
