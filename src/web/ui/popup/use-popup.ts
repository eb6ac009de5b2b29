import { type RefObject, useEffect, useEffectEvent, useLayoutEffect, useRef, useState } from 'react';
import { POPUP_DISPOSE_MS } from '../feedback/delays.ts';
import { type Placement, placeBeside } from './place.ts';

type PopupState = 'closed' | 'open' | 'closing';

export type PopupControl = {
  anchor: RefObject<HTMLElement | null>;
  popup: RefObject<HTMLDivElement | null>;
  isOpen: boolean;
  /** Still in the page: open, or on its way out. */
  isMounted: boolean;
  open: (delay?: number) => void;
  close: (delay?: number) => void;
};

/** What tooltip, popover and menu share: delays, place, Escape, a press elsewhere, and the way out. */
export function usePopup(placement: Placement, distance: number): PopupControl {
  const anchor = useRef<HTMLElement>(null);
  const popup = useRef<HTMLDivElement>(null);
  const [state, setState] = useState<PopupState>('closed');
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
  useEffect(() => {
    if (state !== 'open') return;
    return onDismissal(anchor, popup, closeNow);
  }, [state]);
  useLayoutEffect(() => {
    if (state !== 'open') return;
    return keepPlaced(anchor, popup, placement, distance);
  }, [state, placement, distance]);

  return { anchor, popup, isOpen: state === 'open', isMounted: state !== 'closed', open, close };
}

function onDismissal(
  anchor: RefObject<HTMLElement | null>,
  popup: RefObject<HTMLElement | null>,
  close: () => void,
): () => void {
  function handleKey(event: KeyboardEvent) {
    if (event.key !== 'Escape') return;
    event.preventDefault();
    close();
  }
  function handlePress(event: PointerEvent) {
    if (!(event.target instanceof Node)) return;
    if (anchor.current?.contains(event.target) || popup.current?.contains(event.target)) return;
    close();
  }
  document.addEventListener('keydown', handleKey);
  document.addEventListener('pointerdown', handlePress);
  return () => {
    document.removeEventListener('keydown', handleKey);
    document.removeEventListener('pointerdown', handlePress);
  };
}

function keepPlaced(
  anchor: RefObject<HTMLElement | null>,
  popup: RefObject<HTMLElement | null>,
  placement: Placement,
  distance: number,
): (() => void) | undefined {
  const from = anchor.current;
  const element = popup.current;
  if (!from || !element) return;
  const place = () => {
    const spot = placeBeside(
      from.getBoundingClientRect(),
      { width: element.offsetWidth, height: element.offsetHeight },
      { width: document.documentElement.clientWidth, height: window.innerHeight },
      placement,
      distance,
    );
    element.style.left = `${spot.left}px`;
    element.style.top = `${spot.top}px`;
  };
  element.showPopover?.();
  place();
  window.addEventListener('scroll', place, true);
  window.addEventListener('resize', place);
  return () => {
    window.removeEventListener('scroll', place, true);
    window.removeEventListener('resize', place);
  };
}
