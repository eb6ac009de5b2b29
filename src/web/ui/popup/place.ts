export type Placement = 'top' | 'bottom' | 'bottom-start' | 'bottom-end';
export type Box = { left: number; top: number; width: number; height: number };
export type Size = { width: number; height: number };

const MARGIN = 8;

/** Where a popup goes beside its anchor, in viewport px: flipped when there is no room, never over the edge. */
export function placeBeside(
  anchor: Box,
  popup: Size,
  viewport: Size,
  placement: Placement,
  distance: number,
): { left: number; top: number } {
  const above = anchor.top - distance - popup.height;
  const below = anchor.top + anchor.height + distance;
  const fitsAbove = above >= MARGIN;
  const fitsBelow = below + popup.height <= viewport.height - MARGIN;
  const goesAbove = placement === 'top' ? fitsAbove || !fitsBelow : !fitsBelow && fitsAbove;
  const left = {
    top: anchor.left + (anchor.width - popup.width) / 2,
    bottom: anchor.left + (anchor.width - popup.width) / 2,
    'bottom-start': anchor.left,
    'bottom-end': anchor.left + anchor.width - popup.width,
  }[placement];
  return {
    left: keepWithin(left, popup.width, viewport.width),
    top: keepWithin(goesAbove ? above : below, popup.height, viewport.height),
  };
}

function keepWithin(start: number, length: number, available: number): number {
  return Math.max(MARGIN, Math.min(start, available - length - MARGIN));
}
