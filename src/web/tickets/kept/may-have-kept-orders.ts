import { readStored, removeStored, writeStored } from '#web/platform/browser-storage.ts';

const KEY = 'has-tickets';

/** Whether this browser had tickets when it was last looked: known at once, and nothing about them. */
export function mayHaveKeptOrders(): boolean {
  return readStored(KEY) !== null;
}

export function rememberKeptOrders(hasOrders: boolean): void {
  if (hasOrders) writeStored(KEY, '1');
  else removeStored(KEY);
}
