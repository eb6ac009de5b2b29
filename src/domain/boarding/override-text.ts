import type { GateEvent } from '#contract/gate/schemas.ts';

export type Board = Extract<GateEvent, { type: 'board' }>;

/** What the proof of an override is made of: everything that the server stores of the event. */
export function describeOverride({
  id,
  sailing_id,
  device,
  occurred_at,
  tickets,
  party,
  override,
}: Board): string {
  const ofParty = party ? [party.reference, party.sailing_id] : null;
  return JSON.stringify([id, sailing_id, device, occurred_at, tickets, ofParty, override ?? null]);
}
