import {
  type HTMLAttributes,
  type RefObject,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { createPortal } from 'react-dom';
import { POPUP_DISPOSE_MS } from '../feedback/delays.ts';
import { keepPlaced, type Placement } from './place.ts';
import { findScreen } from './second-click.ts';

type PopupControl = ReturnType<typeof usePopup<HTMLElement>>;

/** What tooltip, popover and menu share: delays, place, Escape, a press elsewhere, and fading out. */
export function usePopup<Anchor extends HTMLElement>(placement: Placement, distance: number) {
  const anchor = useRef<Anchor>(null);
  const popup = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<'closed' | 'open' | 'closing'>('closed');
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);

  function later(action: () => void, delay: number) {
    clearTimeout(timer.current);
    if (delay > 0) timer.current = setTimeout(action, delay);
    else action();
  }

  function open(delay = 0) {
    later(() => setState('open'), delay);
  }

  function close(delay = 0) {
    later(() => {
      setState((current) => (current === 'closed' ? 'closed' : 'closing'));
      later(() => setState('closed'), POPUP_DISPOSE_MS);
    }, delay);
  }

  const closeNow = useEffectEvent(() => close());
  useEffect(() => () => clearTimeout(timer.current), []);
  // Before the popup is painted: a key pressed as soon as it shows must close it.
  useLayoutEffect(() => {
    if (state === 'open') return onDismissal(anchor, popup, closeNow);
  }, [state]);
  useLayoutEffect(() => {
    if (state !== 'open' || !anchor.current || !popup.current) return;
    popup.current.showPopover?.();
    return keepPlaced(anchor.current, popup.current, placement, distance);
  }, [state, placement, distance]);

  /** Mounted also while it fades out. */
  return { anchor, popup, isOpen: state === 'open', isMounted: state !== 'closed', open, close };
}

function onDismissal(
  anchor: RefObject<HTMLElement | null>,
  popup: RefObject<HTMLElement | null>,
  close: () => void,
): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  function handleKey(event: KeyboardEvent) {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    close();
  }
  function handlePress({ target }: PointerEvent) {
    const isInside = [anchor, popup].some(({ current }) => current?.contains(target as Node));
    if (!isInside) close();
  }
  document.addEventListener('keydown', handleKey, { signal });
  document.addEventListener('pointerdown', handlePress, { signal });
  return () => controller.abort();
}

/**
 * The content of a tooltip, popover or menu, on the browser's top layer, above dialogs and outside of clipping
 * ancestors; browsers without `popover` get it at the end of the open dialog or the page instead.
 */
export function Popup({
  control,
  ...attributes
}: HTMLAttributes<HTMLDivElement> & { control: PopupControl }) {
  const { anchor, popup, isOpen, isMounted } = control;
  if (!isMounted) return null;
  const common = { ...attributes, ref: popup, 'data-closing': !isOpen || undefined };
  if ('showPopover' in HTMLElement.prototype) return <div {...common} popover="manual" />;
  return createPortal(<div {...common} />, findScreen(anchor.current));
}
