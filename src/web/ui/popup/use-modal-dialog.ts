import { type RefObject, useEffectEvent, useLayoutEffect, useSyncExternalStore } from 'react';
import { DOUBLE_CLICK_MS } from '../feedback/delays.ts';
import { findPress, findScreen, type Press, takeSecondClick } from './second-click.ts';

/**
 * Shows the dialog while its component is in the page and gives the focus back when it goes. Escape and a press outside
 * of it ask to close. For `clickWindow` milliseconds a second click on the control that closed it has no effect.
 */
export function useModalDialog(
  dialog: RefObject<HTMLDialogElement | null>,
  onClose: () => void,
  clickWindow: number = DOUBLE_CLICK_MS,
): void {
  const handleCancel = useEffectEvent((event: Event) => {
    if (event.target !== dialog.current) return;
    event.preventDefault();
    onClose();
  });
  const handlePress = useEffectEvent((event: MouseEvent) => {
    const element = dialog.current;
    // The second click of a double click on the opener lands on the backdrop too.
    if (event.target !== element || element === null || event.detail > 1) return;
    const { left, right, top, bottom } = element.getBoundingClientRect();
    const { clientX: x, clientY: y } = event;
    if (x < left || x > right || y < top || y > bottom) onClose();
  });

  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return;
    const opener = document.activeElement;
    const controller = new AbortController();
    const { signal } = controller;
    let lastPress: Press | null = null;
    const notePress = (event: MouseEvent) => {
      lastPress = findPress(event);
    };
    element.addEventListener('click', notePress, { signal, capture: true });
    element.addEventListener('cancel', (event) => handleCancel(event), { signal });
    element.addEventListener('mousedown', (event) => handlePress(event), { signal });
    // Browsers close it at a second Escape even if the first was prevented.
    element.addEventListener('close', () => element.showModal(), { signal });
    element.showModal();
    setOpenDialogs([...openDialogs, element]);
    return () => {
      setOpenDialogs(openDialogs.filter((other) => other !== element));
      controller.abort();
      element.close();
      if (lastPress) takeSecondClick(lastPress, findScreen(element.parentElement), clickWindow);
      if (!(opener instanceof HTMLElement) || !opener.isConnected) return;
      // Focused by the browser as it closed, a field has no caret.
      opener.blur();
      opener.focus({ preventScroll: true });
    };
  }, [dialog, clickWindow]);
}

/** The dialog that makes the rest of the page inert, or null; dialogs of the given role do not count. */
export function useOpenDialog(exceptRole: string): HTMLDialogElement | null {
  return useSyncExternalStore(
    subscribe,
    () => openDialogs.findLast((dialog) => dialog.getAttribute('role') !== exceptRole) ?? null,
    () => null,
  );
}

let openDialogs: readonly HTMLDialogElement[] = [];
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function setOpenDialogs(dialogs: readonly HTMLDialogElement[]): void {
  openDialogs = dialogs;
  for (const listener of listeners) listener();
}
