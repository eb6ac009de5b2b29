import {
  type ReactNode,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { overlaps } from '#domain/map/boxes.ts';
import { t } from '#web/language/texts.ts';
import button from '../form/button.module.css';
import { onViewportChange } from '../popup/place.ts';
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

type NotificationListProps = {
  notifications: readonly ToastNotification[];
  onDismiss: (id: string) => void;
  /** Called when a notification appears. */
  onShown?: (id: string) => void;
};

const SHOWN_FOR_MS = 5000;
/** While others are waiting. */
const SHOWN_AT_LEAST_MS = 1500;

/**
 * Shows one notification at a time; those that need no answer disappear after a while. Render it from the start: a live
 * region that arrives with its text is not read out.
 */
export function NotificationList({ notifications, onDismiss, onShown }: NotificationListProps) {
  const waiting = notifications.filter(({ visible }) => visible);
  const temporary = waiting.filter(({ persistent, action }) => !persistent && action === undefined);
  const shown = temporary[0] ?? waiting[0];
  const list = useRef<HTMLElement>(null);
  const [isHeld, setIsHeld] = useState(false);
  const shownId = shown?.id ?? null;
  useTimer(
    isHeld || temporary.length === 0 ? null : shownId,
    temporary.length > 1 ? SHOWN_AT_LEAST_MS : SHOWN_FOR_MS,
    onDismiss,
  );
  usePlaceClearOfButtons(list, shownId);
  const handleShown = useEffectEvent((id: string) => onShown?.(id));
  useEffect(() => {
    if (shownId !== null) handleShown(shownId);
  }, [shownId]);
  const toast = shown && (
    <Notice key={shown.id} type={shown.type} action={shown.action} onDismiss={() => onDismiss(shown.id)}>
      {shown.message}
    </Notice>
  );
  const isUrgent = shown?.type === 'alert' || shown?.type === 'warning';
  return (
    <section
      ref={list}
      className={styles.list}
      aria-label={t('Notifications')}
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

/** Counts only while the page is visible. */
function useTimer(id: string | null, after: number, onEnd: (id: string) => void): void {
  const end = useEffectEvent(onEnd);
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
function usePlaceClearOfButtons(list: RefObject<HTMLElement | null>, shownId: string | null): void {
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
  const buttons = [...document.querySelectorAll(`main .${button.primary}`)];
  return buttons.some((each) => overlaps(each.getBoundingClientRect(), box));
}
