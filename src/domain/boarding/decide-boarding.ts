import type { GateParty, GateSailing, GateTicket } from '#contract/gate/schemas.ts';
import { parseReference } from '../orders/reference.ts';
import { type ParsedCode, type PartyFields, parseCode, type TicketFields } from '../orders/ticket-code.ts';
import { isVoid } from '../orders/ticket-status.ts';
import { type GateList, getPartyKey, type ListedTicket } from './gate-list.ts';

/** What a gate read: a signed code with the result of checking its signature, or the code that people read aloud. */
export type Scan =
  | {
      type: 'signed';
      code: Extract<ParsedCode, { ok: true }>;
      signature: 'genuine' | 'forged' | 'unknown_key';
    }
  | { type: 'spoken'; code: string }
  | { type: 'unreadable'; reason: Extract<ParsedCode, { ok: false }>['reason'] };

/** Why a ticket is refused. */
export type StopReason =
  | Extract<ParsedCode, { ok: false }>['reason']
  | 'unknown_code'
  | 'unknown_key'
  | 'forged'
  | 'expired'
  | 'canceled'
  | 'replaced'
  | 'party_changed'
  | 'boarded_before'
  | 'sailing_canceled'
  | 'departed'
  | 'check_in_closed'
  | 'missed'
  | 'other_port'
  | 'other_sailing';

/** What to look at before people are let aboard. */
export type Look = 'proof' | 'vehicle' | 'assistance' | 'details' | 'missed_earlier' | 'partly_aboard';

/** What the gate shows. `party`: null if the gate's list does not have it, because it was sold later. */
export type Decision = {
  party: GateParty | null;
  /** The sailing that the ticket is for; null if the gate's list does not have it. */
  sailing: GateSailing | null;
} & (
  | {
      answer: 'go' | 'look';
      looks: readonly Look[];
      /** The tickets to let aboard. Empty if the gate's list has none of them: then `event` names them. */
      tickets: readonly GateTicket[];
      event: BoardTarget;
    }
  | {
      answer: 'stop';
      reason: StopReason;
      /** The tickets that were boarded before, or that an override lets aboard. */
      tickets: readonly GateTicket[];
      /** What an override stores; null: the refusal cannot be overridden. */
      event: BoardTarget | null;
    }
);

/** The part of a `board` event that says whom it is about. */
export type BoardTarget = {
  tickets: string[];
  party?: { reference: string; sailing_id: string };
  reference?: string;
};

/** Where and when a scan happens. `now` in milliseconds since 1970. */
export type Gate = { sailing: GateSailing; now: number };

/** Refusals that staff with the right may override with a reason, because the boat may still have a place. */
const OVERRIDABLE: readonly StopReason[] = ['other_sailing', 'check_in_closed', 'missed', 'departed'];

/** Reads a scanned or typed text, without checking a signature. */
export function readScan(text: string): { parsed: ParsedCode } | { spoken: string } {
  const spoken = parseReference(text, ' ');
  return spoken === null ? { parsed: parseCode(text) } : { spoken };
}

/**
 * Decides whether people are let aboard. The same function answers on a device, from its list, and on the server, from
 * the database.
 */
export function decideBoarding(scan: Scan, gate: Gate, list: GateList): Decision {
  switch (scan.type) {
    case 'unreadable':
      return stop(scan.reason);
    case 'spoken': {
      const listed = list.spokenCodes.get(scan.code);
      return listed ? decideTicket(listed, gate, list) : stop('unknown_code');
    }
    case 'signed': {
      const { code, signature } = scan;
      if (signature !== 'genuine') return stop(signature);
      const decision =
        code.type === 'ticket'
          ? decideTicketCode(code.fields, gate, list)
          : decidePartyCode(code.fields, gate, list);
      const isExpired = code.fields.validUntilMinute * 60_000 < gate.now;
      return isExpired && decision.answer !== 'stop' ? stop('expired', decision) : decision;
    }
  }
}

function decideTicketCode(fields: TicketFields, gate: Gate, list: GateList): Decision {
  const listed = list.tickets.get(fields.ticketId);
  if (listed) return decideTicket(listed, gate, list);
  const event = { tickets: [fields.ticketId], reference: fields.reference };
  return decideUnlisted(fields, event, gate, list);
}

/** A genuine code of a sale after the list was made; its fields are all there is. */
function decideUnlisted(
  { sailingId, reference }: Pick<TicketFields, 'sailingId' | 'reference'>,
  event: BoardTarget,
  gate: Gate,
  list: GateList,
): Decision {
  const sailing = list.sailings.get(sailingId) ?? null;
  // A ticket also went aboard with the code of its whole party.
  const keys = [getPartyKey({ reference, sailing_id: sailingId }), ...event.tickets];
  if (keys.some((key) => list.unlistedAboard.has(key))) return stop('boarded_before', { sailing });
  const reason = findSailingRefusal(sailing, gate);
  if (reason !== null) return stop(reason, { sailing, event });
  // The list does not say which tickets the party has, so people count who is left.
  const isPartlyAboard = event.party !== undefined && list.unlistedOrders.has(reference);
  return {
    ...(isPartlyAboard ? { answer: 'look', looks: ['partly_aboard'] } : { answer: 'go', looks: [] }),
    ...{ tickets: [], party: null, sailing, event },
  };
}

function decideTicket({ party, ticket }: ListedTicket, gate: Gate, list: GateList): Decision {
  return decideTickets([ticket], party, gate, list);
}

function decidePartyCode(fields: PartyFields, gate: Gate, list: GateList): Decision {
  const named = { reference: fields.reference, sailing_id: fields.sailingId };
  const party = list.parties.get(getPartyKey(named));
  if (!party) return decideUnlisted(fields, { tickets: [], party: named }, gate, list);
  const valid = party.tickets.filter((ticket) => !isVoid(ticket));
  const count = (kind: GateTicket['kind']) => valid.filter((ticket) => ticket.kind === kind).length;
  const hasMore =
    fields.passengers > count('passenger') ||
    fields.vehicles > count('vehicle') ||
    fields.bicycles > count('bicycle');
  const sailing = list.sailings.get(fields.sailingId) ?? null;
  if (hasMore) return stop('party_changed', { party, sailing, tickets: valid });
  const left = valid.filter(({ boarding }) => boarding === null);
  return decideTickets(left.length > 0 ? left : valid, party, gate, list);
}

/** Decides about tickets that staff chose from the gate's list. */
export function decideTickets(
  tickets: readonly GateTicket[],
  party: GateParty,
  gate: Gate,
  list: GateList,
): Decision {
  const sailing = list.sailings.get(party.sailing_id) ?? null;
  const event = { tickets: tickets.map(({ id }) => id) };
  const refused = (reason: StopReason) => stop(reason, { party, sailing, tickets, event });
  const ended = tickets.find(isVoid);
  if (ended) return refused(ended.status === 'canceled' ? 'canceled' : 'replaced');
  if (tickets.every(({ boarding }) => boarding !== null)) return refused('boarded_before');
  const mayTravelLater = sailing !== null && canTakeLaterBoat(party, sailing, gate);
  const reason = mayTravelLater ? findGateRefusal(gate.sailing) : findSailingRefusal(sailing, gate);
  const isTurnUp = reason === 'check_in_closed' && isSoldAfterClosing(party, gate.sailing);
  if (reason !== null && !isTurnUp) return refused(reason);
  if (!mayTravelLater && tickets.some(({ status }) => status === 'no_show')) return refused('missed');
  const looks = [...(mayTravelLater ? (['missed_earlier'] as const) : []), ...listLooks(tickets)];
  const answer = looks.length > 0 ? 'look' : 'go';
  return { answer, looks, tickets, party, sailing, event };
}

function listLooks(tickets: readonly GateTicket[]): Look[] {
  const looks: Look[] = [];
  if (tickets.some((ticket) => ticket.needs_proof)) looks.push('proof');
  if (tickets.some(({ kind }) => kind === 'vehicle')) looks.push('vehicle');
  if (tickets.some(({ assistance }) => assistance !== '')) looks.push('assistance');
  if (tickets.some(({ lacks_details }) => lacks_details)) looks.push('details');
  return looks;
}

/** Why a ticket of the sailing cannot board now; null: it can. */
function findSailingRefusal(sailing: GateSailing | null, gate: Gate): StopReason | null {
  if (sailing === null) return 'other_sailing';
  if (sailing.status === 'canceled') return 'sailing_canceled';
  if (sailing.origin_port_id !== gate.sailing.origin_port_id) return 'other_port';
  if (sailing.voyage_id !== gate.sailing.voyage_id) return 'other_sailing';
  return findGateRefusal(gate.sailing);
}

/** Why the boat at the gate is not boarding; null: it is. */
function findGateRefusal({ status, departed_at, check_in_closed_at }: GateSailing): StopReason | null {
  if (status !== 'scheduled') return 'sailing_canceled';
  if (departed_at !== null) return 'departed';
  return check_in_closed_at === null ? null : 'check_in_closed';
}

/** Whether the party was sold its tickets at the ramp, after others had missed check-in. */
function isSoldAfterClosing({ sold_at }: GateParty, { check_in_closed_at }: GateSailing): boolean {
  return sold_at !== undefined && check_in_closed_at !== null && sold_at >= check_in_closed_at;
}

/** Whether the fare lets the party take the boat at the gate, because it missed its own one earlier on the same day. */
function canTakeLaterBoat(party: GateParty, sailing: GateSailing, gate: Gate): boolean {
  const isGone = sailing.departed_at !== null || sailing.check_in_closed_at !== null;
  return (
    party.may_travel_later &&
    isGone &&
    sailing.voyage_id !== gate.sailing.voyage_id &&
    sailing.route_id === gate.sailing.route_id &&
    sailing.service_date === gate.sailing.service_date &&
    sailing.departs_at < gate.sailing.departs_at
  );
}

type StopContext = Partial<Pick<Decision, 'party' | 'sailing' | 'tickets'>> & { event?: BoardTarget | null };

function stop(reason: StopReason, context: StopContext = {}): Decision {
  const { party = null, sailing = null, tickets = [], event = null } = context;
  return {
    answer: 'stop',
    reason,
    party,
    sailing,
    tickets,
    event: OVERRIDABLE.includes(reason) ? event : null,
  };
}
