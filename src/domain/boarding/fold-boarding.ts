/** A stored event about a ticket. `at` in milliseconds since 1970, by the device's corrected clock. */
export type TicketEvent = {
  id: string;
  type: 'board' | 'leave';
  sailingId: string;
  device: string;
  at: number;
  isUndone: boolean;
};

/** That a ticket is aboard. `times`: more than one if it was admitted again without having left. */
export type Boarding = { sailingId: string; device: string; at: number; times: number };

/**
 * Whether a ticket is aboard after all its events; null: it is not. The result depends on the events alone, not on the
 * order in which devices without a connection delivered them.
 */
export function foldBoarding(events: readonly TicketEvent[]): Boarding | null {
  const inOrder = events
    .filter(({ isUndone }) => !isUndone)
    .toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
  const boards = inOrder.slice(inOrder.findLastIndex(({ type }) => type === 'leave') + 1);
  const [first] = boards;
  if (first === undefined) return null;
  const { sailingId, device, at } = first;
  return { sailingId, device, at, times: boards.length };
}
