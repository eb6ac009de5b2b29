export type Placement = 'top' | 'bottom' | 'bottom-start' | 'bottom-end';
type Size = { width: number; height: number };
type Corner = { left: number; top: number };

const MARGIN = 8;

/**
 * Keeps `--left` and `--top` of a popup beside its anchor while the page scrolls or changes its size.
 * @returns what stops it
 */
export function keepPlaced(anchor: HTMLElement, popup: HTMLElement, placement: Placement, distance: number) {
  return onViewportChange(() => {
    const { left, top } = placeBeside(
      anchor.getBoundingClientRect(),
      { width: popup.offsetWidth, height: popup.offsetHeight },
      { width: document.documentElement.clientWidth, height: window.innerHeight },
      placement,
      distance,
    );
    popup.style.setProperty('--left', `${left}px`);
    popup.style.setProperty('--top', `${top}px`);
  });
}

/** Where a popup goes beside its anchor, in viewport px: flipped when there is no room, never over the edge. */
export function placeBeside(
  anchor: Corner & Size,
  popup: Size,
  viewport: Size,
  placement: Placement,
  distance: number,
): Corner {
  const above = anchor.top - distance - popup.height;
  const below = anchor.top + anchor.height + distance;
  const fitsAbove = above >= MARGIN;
  const fitsBelow = below + popup.height <= viewport.height - MARGIN;
  const goesAbove = placement === 'top' ? fitsAbove || !fitsBelow : !fitsBelow && fitsAbove;
  const difference = anchor.width - popup.width;
  const indent = { top: difference / 2, bottom: difference / 2, 'bottom-start': 0, 'bottom-end': difference };
  return {
    left: keepWithin(anchor.left + indent[placement], popup.width, viewport.width),
    top: keepWithin(goesAbove ? above : below, popup.height, viewport.height),
  };
}

function keepWithin(start: number, length: number, available: number): number {
  return Math.max(MARGIN, Math.min(start, available - length - MARGIN));
}

/**
 * Calls `place` now and whenever the page, or a part of it, scrolls, or the window or an element changes its size.
 * @returns what stops it
 */
export function onViewportChange(place: () => void, elements: readonly Element[] = []): () => void {
  const observer = elements.length > 0 ? new ResizeObserver(place) : null;
  for (const element of elements) observer?.observe(element);
  const controller = new AbortController();
  const { signal } = controller;
  window.addEventListener('scroll', place, { capture: true, passive: true, signal });
  window.addEventListener('resize', place, { signal });
  place();
  return () => {
    observer?.disconnect();
    controller.abort();
  };
}
