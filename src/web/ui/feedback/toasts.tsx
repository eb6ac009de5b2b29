import {
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import button from '../form/button.module.css';
import { onViewportChange, overlaps } from '../popup/place.ts';
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
  /** Called when a notification comes on screen. */
  onShown?: (id: string) => void;
};

const SHOWN_FOR_MS = 5000;
/** While others wait. */
const SHOWN_AT_LEAST_MS = 1500;

/**
 * Shows one notification at a time; those that need no answer leave by themselves. Keep it in the page from the start:
 * a live region that arrives with its text is not read out.
 */
export function NotificationList({ notifications, onDismiss, onShown }: NotificationListProps) {
  const waiting = notifications.filter(({ visible }) => visible);
  const passing = waiting.filter((notification) => !needsAnswer(notification));
  const shown = passing[0] ?? waiting[0];
  const list = useRef<HTMLElement>(null);
  const [isHeld, setIsHeld] = useState(false);
  const leavesAfter = passing.length > 1 ? SHOWN_AT_LEAST_MS : SHOWN_FOR_MS;
  const shownId = shown?.id ?? null;
  useTimer(isHeld || passing.length === 0 ? null : shownId, leavesAfter, onDismiss);
  useClearOfButtons(list, shownId);
  const tellShown = useEffectEvent((id: string) => onShown?.(id));
  useEffect(() => {
    if (shownId !== null) tellShown(shownId);
  }, [shownId]);
  const toast = shown && <Toast key={shown.id} notification={shown} onDismiss={onDismiss} />;
  const isUrgent = shown?.type === 'alert' || shown?.type === 'warning';
  return (
    <section
      ref={list}
      className={styles.list}
      aria-label="Notifications"
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <div role="alert" className={styles.region}>
        {isUrgent && toast}
      </div>
      <output className={styles.region}>{!isUrgent && toast}</output>
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

function needsAnswer({ persistent, action }: ToastNotification): boolean {
  return persistent || action !== undefined;
}

/** Counts only while the page is in sight. */
function useTimer(id: string | null, after: number, onOver: (id: string) => void): void {
  const end = useEffectEvent(onOver);
  useEffect(() => {
    if (id === null) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const start = () => {
      clearTimeout(timer);
      if (document.visibilityState === 'visible') timer = setTimeout(() => end(id), after);
    };
    start();
    document.addEventListener('visibilitychange', start);
    return () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', start);
    };
  }, [id, after]);
}

/** Moves the notification to the top of the screen while it would cover a primary button. */
function useClearOfButtons(list: RefObject<HTMLElement | null>, shownId: string | null): void {
  useLayoutEffect(() => {
    const element = list.current;
    if (element === null || shownId === null) return;
    return onViewportChange(() => {
      delete element.dataset.place;
      if (coversPrimaryButton(element.getBoundingClientRect())) element.dataset.place = 'top';
    });
  }, [list, shownId]);
}

function coversPrimaryButton(box: DOMRect): boolean {
  return [...document.querySelectorAll(`main .${button.primary}`)].some((each) =>
    overlaps(each.getBoundingClientRect(), box),
  );
}
