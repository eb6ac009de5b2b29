import { type RefObject, useEffectEvent, useLayoutEffect, useSyncExternalStore } from 'react';

/** Shows the dialog while its component is in the page; Escape asks to close, and the focus goes back on the way out. */
export function useModalDialog(dialog: RefObject<HTMLDialogElement | null>, onClose: () => void): void {
  const handleCancel = useEffectEvent((event: Event) => {
    if (event.target !== dialog.current) return;
    event.preventDefault();
    onClose();
  });

  useLayoutEffect(() => {
    const element = dialog.current;
    if (!element) return;
    const opener = document.activeElement;
    const cancel = (event: Event) => handleCancel(event);
    // Browsers close it at a second Escape whatever was said to the first.
    const reopen = () => element.showModal();
    element.addEventListener('cancel', cancel);
    element.addEventListener('close', reopen);
    element.showModal();
    setOpen([...openDialogs, element]);
    return () => {
      setOpen(openDialogs.filter((other) => other !== element));
      element.removeEventListener('cancel', cancel);
      element.removeEventListener('close', reopen);
      element.close();
      if (!(opener instanceof HTMLElement) || !opener.isConnected) return;
      // Focused by the browser as it closed, a field has no caret: what is typed would go nowhere.
      opener.blur();
      opener.focus({ preventScroll: true });
    };
  }, [dialog]);
}

/** The dialog that makes the rest of the page inert, if one does; those of the given role do not count. */
export function useOpenDialog(exceptRole: string): HTMLDialogElement | null {
  return useSyncExternalStore(
    subscribe,
    () => openDialogs.findLast((dialog) => dialog.getAttribute('role') !== exceptRole) ?? null,
    () => null,
  );
}

/** True for a press on the backdrop: the dialog itself is hit, outside its box. */
export function isOutside(element: HTMLElement, x: number, y: number): boolean {
  const box = element.getBoundingClientRect();
  return x < box.left || x > box.right || y < box.top || y > box.bottom;
}

let openDialogs: readonly HTMLDialogElement[] = [];
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}

function setOpen(dialogs: readonly HTMLDialogElement[]): void {
  openDialogs = dialogs;
  for (const listener of [...listeners]) listener();
}
