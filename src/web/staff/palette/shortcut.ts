import { readStored, writeStored } from '#web/platform/browser-storage.ts';
import { createStore, type ReadableStore } from '#web/platform/create-store.ts';

const KEY = 'staff-slash-opens-palette';
const store = createStore(readStored(KEY) !== 'false');

/**
 * Whether "/" opens the palette on this device. People whose speech input or tremor types characters by mistake turn it
 * off; Ctrl+K always works.
 */
export const slashOpens: ReadableStore<boolean> = store;

export function setSlashOpens(isOn: boolean): void {
  writeStored(KEY, String(isOn));
  store.set(() => isOn);
}

/** Whether a key asks for the palette: "/" outside of fields and dialogs, or Ctrl+K anywhere but in a dialog. */
export function opensPalette(event: KeyboardEvent): boolean {
  if (document.querySelector('dialog[open]') !== null || event.altKey) return false;
  if (event.ctrlKey || event.metaKey) return event.key.toLowerCase() === 'k';
  const { target } = event;
  const isTyping =
    target instanceof HTMLElement &&
    (target.isContentEditable || ['INPUT', 'TEXTAREA', 'SELECT'].includes(target.tagName));
  return event.key === '/' && !isTyping && store.get();
}
