import { POPUP_DISTANCE_PX } from '../feedback/delays.ts';
import { keepPlaced, onViewportChange } from '../popup/place.ts';

type Box = Pick<DOMRect, 'left' | 'right' | 'top' | 'bottom' | 'width'>;

/**
 * Keeps the calendar below or above its field, or beside it if neither has room, so that the field stays in sight.
 * @returns what stops it
 */
export function keepBesideField(field: HTMLElement, calendar: HTMLElement): () => void {
  const stopPlacing = keepPlaced(field, calendar, 'bottom-start', POPUP_DISTANCE_PX);
  const stopMoving = onViewportChange(() => {
    const [at, from] = [field.getBoundingClientRect(), calendar.getBoundingClientRect()];
    const left = findLeftBeside(at, from, document.documentElement.clientWidth);
    if (left !== null) calendar.style.setProperty('--left', `${left}px`);
  });
  return () => {
    stopPlacing();
    stopMoving();
  };
}

/** Null if the calendar does not cover the field, or has no room on either side. */
export function findLeftBeside(field: Box, calendar: Box, viewportWidth: number): number | null {
  if (calendar.bottom <= field.top || field.bottom <= calendar.top) return null;
  const right = field.right + POPUP_DISTANCE_PX;
  const left = field.left - POPUP_DISTANCE_PX - calendar.width;
  if (right + calendar.width <= viewportWidth) return right;
  return left >= 0 ? left : null;
}
