import type { GateEvent, GatePack, GateParty, GateSailing, GateTicket } from '#contract/gate/schemas.ts';
import { isVoid } from '../orders/ticket-status.ts';
import { countFarePeople } from './decide-fare.ts';

/** A ticket with the party that it belongs to. */
export type ListedTicket = { party: GateParty; ticket: GateTicket };

/** What a gate knows, indexed by what it scans. */
export type GateList = {
  sailings: ReadonlyMap<string, GateSailing>;
  /** By ticket id. */
  tickets: Lookup<ListedTicket>;
  /** By the code that people read aloud. */
  spokenCodes: Lookup<ListedTicket>;
  /** By `getPartyKey`. */
  parties: Lookup<GateParty> & { values(): GateParty[] };
  /** Tickets, by id, and parties, by `getPartyKey`, that the gate let aboard although its pack does not have them. */
  unlistedAboard: ReadonlySet<string>;
  /** The orders of those tickets, by reference. */
  unlistedOrders: ReadonlySet<string>;
};

type Lookup<Value> = Pick<ReadonlyMap<string, Value>, 'get'>;
type Listed = Pick<GatePack, 'sailings' | 'parties'>;

/** What does not change with events, because a device with 20,000 tickets would take too long to index it after each. */
export type PackIndex = {
  /** By `getPartyKey`. */
  parties: ReadonlyMap<string, GateParty>;
  /** The key of a ticket's party, by ticket id. */
  partyKeys: ReadonlyMap<string, string>;
  /** Ticket ids by the code that people read aloud. */
  ticketIds: ReadonlyMap<string, string>;
};

/** Indexes the tickets of a pack. */
export function indexTickets(parties: readonly GateParty[]): PackIndex {
  const index = { parties: new Map(), partyKeys: new Map(), ticketIds: new Map() };
  for (const party of parties) {
    const key = getPartyKey(party);
    index.parties.set(key, party);
    for (const { id, code } of party.tickets) {
      index.partyKeys.set(id, key);
      index.ticketIds.set(code, id);
    }
  }
  return index;
}

/**
 * Lists a pack in the state after events that the server did not have when it made the pack. The pack may already contain
 * them, except those that count people, and what other gates have done to their tickets since.
 * @param index of the pack's parties
 */
export function createGateList(
  { sailings, parties }: Listed,
  events: readonly GateEvent[] = [],
  index: PackIndex = indexTickets(parties),
): GateList {
  const undone = new Set(events.flatMap((event) => (event.type === 'undo' ? [event.event_id] : [])));
  const changed = changeParties(index, sailings, { events, undone });
  const findParty = (key = '') => changed.get(key) ?? index.parties.get(key);
  const findTicket = (id = ''): ListedTicket | undefined => {
    const party = findParty(index.partyKeys.get(id));
    const ticket = party?.tickets.find((each) => each.id === id);
    return party && ticket && { party, ticket };
  };
  const boarded = events.flatMap((event) => (event.type === 'board' && !undone.has(event.id) ? [event] : []));
  return {
    sailings: new Map(countPeople(sailings, events, undone).map((sailing) => [sailing.id, sailing])),
    tickets: { get: findTicket },
    spokenCodes: { get: (code) => findTicket(index.ticketIds.get(code)) },
    parties: {
      get: findParty,
      values: () => Array.from(index.parties, ([key, party]) => changed.get(key) ?? party),
    },
    unlistedAboard: new Set(
      boarded.flatMap(({ party, tickets }) => (party ? [getPartyKey(party)] : tickets)),
    ),
    unlistedOrders: new Set(boarded.flatMap(({ reference }) => reference ?? [])),
  };
}

export function getPartyKey({ reference, sailing_id }: Pick<GateParty, 'reference' | 'sailing_id'>): string {
  return `${reference} ${sailing_id}`;
}

type TicketEvent = Extract<GateEvent, { type: 'board' | 'leave' }>;
/** `isClosed`: who is not aboard has missed the boat. */
type TicketChange = { event: TicketEvent; isUndone: boolean; isClosed: boolean };

/** The parties that events have changed, by `getPartyKey`. */
function changeParties(
  index: PackIndex,
  sailings: readonly GateSailing[],
  { events, undone }: { events: readonly GateEvent[]; undone: ReadonlySet<string> },
): ReadonlyMap<string, GateParty> {
  const closed = new Set(sailings.flatMap((each) => (each.check_in_closed_at === null ? [] : [each.id])));
  const changed = new Map<string, GateParty>();
  for (const event of events) {
    if (event.type !== 'board' && event.type !== 'leave') continue;
    const { keys, isNamed } = findTickets(index, event);
    for (const key of keys) {
      const party = changed.get(key) ?? index.parties.get(key);
      if (party === undefined) continue;
      const isClosed = closed.has(party.sailing_id);
      const change = { event, isUndone: undone.has(event.id), isClosed };
      const tickets = party.tickets.map((ticket) => (isNamed(ticket) ? applyChange(ticket, change) : ticket));
      changed.set(key, { ...party, tickets });
    }
  }
  return changed;
}

type NamedTickets = { keys: Iterable<string>; isNamed: (ticket: GateTicket) => boolean };

/** The tickets of an event, and their parties: those it names, or all valid ones of the party that it names. */
function findTickets({ parties, partyKeys }: PackIndex, event: TicketEvent): NamedTickets {
  const party = event.type === 'board' ? event.party : undefined;
  const key = party && getPartyKey(party);
  if (key !== undefined && parties.has(key)) return { keys: [key], isNamed: (ticket) => !isVoid(ticket) };
  return {
    keys: new Set(event.tickets.flatMap((id) => partyKeys.get(id) ?? [])),
    isNamed: ({ id }) => event.tickets.includes(id),
  };
}

function countPeople(
  sailings: readonly GateSailing[],
  events: readonly GateEvent[],
  undone: ReadonlySet<string>,
): readonly GateSailing[] {
  const counted = new Map<string, number>();
  for (const event of events) {
    if ((event.type !== 'count' && event.type !== 'fare') || undone.has(event.id)) continue;
    const people = event.type === 'count' ? event.people : countFarePeople(event.passengers);
    counted.set(event.sailing_id, (counted.get(event.sailing_id) ?? 0) + people);
  }
  return sailings.map((sailing) => {
    const people = counted.get(sailing.id) ?? 0;
    return people === 0 ? sailing : { ...sailing, unticketed: sailing.unticketed + people };
  });
}

function applyChange(ticket: GateTicket, { event, isUndone, isClosed }: TicketChange): GateTicket {
  const { boarding } = ticket;
  if (event.type === 'leave') {
    const isLater = boarding !== null && boarding.at <= event.occurred_at;
    return isLater && !isUndone ? takeOff(ticket, isClosed) : ticket;
  }
  if (isUndone) {
    const isSame = boarding?.at === event.occurred_at && boarding.device === event.device;
    return isSame ? takeOff(ticket, isClosed) : ticket;
  }
  const { sailing_id, occurred_at, device } = event;
  const { status } = ticket;
  const isValid = status === 'issued' || status === 'checked_in' || status === 'no_show';
  return {
    ...ticket,
    status: isValid ? 'boarded' : status,
    boarding: boarding ?? { sailing_id, at: occurred_at, device, times: 1 },
  };
}

function takeOff(ticket: GateTicket, isClosed: boolean): GateTicket {
  const isBoarded = ticket.status === 'boarded';
  return { ...ticket, boarding: null, status: isBoarded ? (isClosed ? 'no_show' : 'issued') : ticket.status };
}
