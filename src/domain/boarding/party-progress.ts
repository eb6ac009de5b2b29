import type { GateParty, GateTicket } from '#contract/gate/schemas.ts';
import { isVoid } from '../orders/ticket-status.ts';

/** How much of a party is aboard. */
export type PartyProgress = { aboard: number; total: number };

/**
 * Counts a party's tickets that are aboard, with those that board now.
 * @param boarding ids of tickets that board now
 */
export function measureParty({ tickets }: GateParty, boarding: readonly string[] = []): PartyProgress {
  const valid = tickets.filter((ticket) => !isVoid(ticket));
  const aboard = valid.filter((ticket) => ticket.boarding !== null || boarding.includes(ticket.id));
  return { aboard: aboard.length, total: valid.length };
}

/** How many tickets there are of each title, in the order of the tickets. */
export function countTitles(tickets: readonly GateTicket[]): { title: string; count: number }[] {
  const counts = new Map<string, number>();
  for (const { title } of tickets) counts.set(title, (counts.get(title) ?? 0) + 1);
  return [...counts].map(([title, count]) => ({ title, count }));
}
