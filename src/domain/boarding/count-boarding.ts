import type { GateParty, GateSailing, GateTicket } from '#contract/gate/schemas.ts';
import { isVoid } from '../orders/ticket-status.ts';

/** How many tickets of one title are sold, and how many of them are aboard. */
export type TitleCount = { kind: GateTicket['kind']; title: string; sold: number; aboard: number };

/** The counts of one boat at one port. */
export type BoardingCount = {
  titles: TitleCount[];
  /** People aboard when it leaves: with tickets, without, and from earlier ports. */
  people: number;
  /** How many people the vessel may carry. */
  certificate: number;
  /** Length of the vehicles aboard, as booked, and of the vessel's lanes; 0 if it has none or the list does not say. */
  laneCm: number;
  vesselLaneCm: number;
  /** Those of the queue without a place when the boat departed. */
  leftBehind: { people: number; vehicles: number };
  /** Parties that are not or not wholly aboard, with the tickets that are missing. */
  missing: { party: GateParty; tickets: GateTicket[] }[];
  /** Tickets that more than one device admitted. */
  twice: { party: GateParty; ticket: GateTicket }[];
};

/**
 * Counts a boat at one port.
 * @param sailings of one voyage from that port
 */
export function countBoarding(
  sailings: readonly GateSailing[],
  parties: readonly GateParty[],
): BoardingCount {
  const [first] = sailings;
  const ids = new Set(sailings.map(({ id }) => id));
  const titles = new Map<string, TitleCount>();
  const count: BoardingCount = {
    titles: [],
    people: (first?.through_passengers ?? 0) + sailings.reduce((sum, { unticketed }) => sum + unticketed, 0),
    certificate: first?.certificate ?? 0,
    laneCm: 0,
    vesselLaneCm: first?.lane_cm ?? 0,
    leftBehind: {
      people: sailings.reduce((sum, { left_behind }) => sum + (left_behind?.people ?? 0), 0),
      vehicles: sailings.reduce((sum, { left_behind }) => sum + (left_behind?.vehicles ?? 0), 0),
    },
    missing: [],
    twice: [],
  };
  for (const party of parties) {
    const isForThisBoat = ids.has(party.sailing_id);
    const missing: GateTicket[] = [];
    for (const ticket of party.tickets) {
      const { kind, title, boarding } = ticket;
      const isAboard = boarding !== null && ids.has(boarding.sailing_id);
      const isExpected = isForThisBoat && !isVoid(ticket);
      if (!isAboard && !isExpected) continue;
      const key = `${kind} ${title}`;
      const row = titles.get(key) ?? { kind, title, sold: 0, aboard: 0 };
      titles.set(key, {
        ...row,
        sold: row.sold + Number(isExpected),
        aboard: row.aboard + Number(isAboard),
      });
      if (isAboard && kind === 'passenger') count.people += 1;
      if (isAboard && kind === 'vehicle') count.laneCm += party.vehicle?.length_cm ?? 0;
      if (isAboard && boarding.times > 1) count.twice.push({ party, ticket });
      if (boarding === null) missing.push(ticket);
    }
    if (missing.length > 0) count.missing.push({ party, tickets: missing });
  }
  count.titles = [...titles.values()].sort((a, b) => orderOf(a) - orderOf(b) || (a.title < b.title ? -1 : 1));
  return count;
}

const KINDS: readonly GateTicket['kind'][] = ['passenger', 'vehicle', 'bicycle'];

function orderOf({ kind }: TitleCount): number {
  return KINDS.indexOf(kind);
}
