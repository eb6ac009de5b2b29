export type Press = { area: DOMRect; at: number };

/** The control that a click pressed, or null for one of the keyboard, which has no place. */
export function findPress({ target, detail }: MouseEvent): Press | null {
  if (detail === 0 || !(target instanceof Element)) return null;
  const control = target.closest('button, a, label, [role=option]');
  return control && { area: control.getBoundingClientRect(), at: performance.now() };
}

/** What lies beneath a dialog or menu that belongs to the element: the page, or the dialog below. */
export function findScreen(element: Element | null): Element {
  return element?.closest('dialog') ?? document.body;
}

/**
 * Takes the second click of a double click whose first one closed a dialog or menu, and which would press what lies
 * beneath.
 *
 * @param clickWindow Milliseconds from the first click.
 */
export function takeSecondClick({ area, at }: Press, screen: Element, clickWindow: number): void {
  const remaining = at + clickWindow - performance.now();
  if (remaining <= 0) return;
  const cover = document.createElement('div');
  cover.dataset.secondClick = '';
  Object.assign(cover.style, {
    position: 'fixed',
    zIndex: 'var(--layer-popup)',
    left: `${area.left}px`,
    top: `${area.top}px`,
    width: `${area.width}px`,
    height: `${area.height}px`,
  });
  // The focus stays where the dialog returned it.
  cover.addEventListener('mousedown', (event) => event.preventDefault());
  screen.append(cover);
  setTimeout(() => cover.remove(), remaining);
}
