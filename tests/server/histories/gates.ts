import { parseCode } from '#domain/orders/ticket-code.ts';
import { checkTicket, readKeys, readRevoked } from '#server/commands/verify-ticket.ts';
import { formatCsv } from '#server/csv/format-table.ts';
import { recordGateEvents } from '#server/gate/record-events.ts';
import { listRevokedTickets } from '#server/operations/revoked-tickets.ts';
import { newEventId } from '#tests/factories/gate.ts';
import { createStaffMember } from '#tests/factories/staff.ts';
import type { TestReply, TestServer } from '#tests/setup/server.ts';
import type { Contradiction } from './invariant-queries.ts';

type Ticket = {
  id: string;
  place: string;
  /** The order and its sailing. */
  sailing: string;
  sailingId: string;
  status: string;
  runs: boolean;
  payload: string;
};
type PartyCode = { payload: string; reference: string; sailing: string; count: number };
type Gate = { isRevoked: ReturnType<typeof readRevoked>; admitted: Set<string>; waiting: Ticket[] };
type Scan = { gate: number; pick: number; isConnected: boolean };
/** A ticket that counts as boarded, with its place in the party of its order. */
type Boarding = Pick<Ticket, 'id' | 'place' | 'sailing'>;

/**
 * Two gates without a connection. Each knows the operator's keys, and the canceled and boarded tickets as of when it was
 * last connected. A gate that is connected sends whom it admitted; of several scans of a ticket the first counts.
 */
export function openGates(server: Pick<TestServer, 'context' | 'database' | 'clock' | 'request'>) {
  const { database, clock } = server;
  const gates: Gate[] = [newGate(), newGate()];
  const partyCodes = new Map<string, PartyCode>();
  const boardings: Boarding[] = [];
  let keys: ReturnType<typeof readKeys> | undefined;
  let checked = '';

  const readTickets = () =>
    database.store.query<Ticket>(
      `select t.id, o.reference || ' ' || t.leg || ' ' || t.party_index as place,
         o.reference || ' ' || t.sailing_id as sailing, t.sailing_id as "sailingId", t.status, t.payload,
         s.status <> 'canceled' as runs
       from tickets t join orders o on o.id = t.order_id join sailings s on s.id = t.sailing_id order by t.id`,
    );
  const readRevocations = async () =>
    readRevoked(formatCsv(await listRevokedTickets(database.db, clock.now())));
  const check = async (payload: string, isRevoked: Gate['isRevoked']) => {
    keys ??= readKeys((await server.request('GET', '/api/keys')).body);
    return checkTicket(payload, keys, clock.now(), isRevoked).isValid;
  };
  const report = async ({ id, sailingId, gate }: { id: string; sailingId: string; gate: number }) => {
    const [staff = await createStaffMember(server.context, 'gate')] = await server.database.store.query<{
      id: string;
    }>('select id from staff_members');
    const event = {
      ...{ type: 'board' as const, id: newEventId(), sailing_id: sailingId, tickets: [id] },
      ...{ device: `Ramp ${gate + 1}`, occurred_at: clock.now().toISOString() },
    };
    const actor = { kind: 'staff', staffId: staff.id, role: 'gate', device: '', network: '' } as const;
    await recordGateEvents(server.context, { events: [event], actor });
  };

  return {
    /** Every code that a passenger may still have, whatever happened to the order since. */
    keepPartyCodes(order: TestReply['body']): void {
      for (const { leg, passengers, vehicles, bicycles, barcode } of order.party_codes) {
        const { sailing_id: sailing } = order.legs.find((each: { leg: string }) => each.leg === leg);
        partyCodes.set(barcode.payload, {
          payload: barcode.payload,
          reference: order.reference,
          sailing: `${order.reference} ${sailing}`,
          count: passengers + vehicles + bicycles,
        });
      }
    },
    /** Scans any ticket there ever was, also twice; then the gate may be connected. */
    async scan({ gate: number, pick, isConnected }: Scan): Promise<void> {
      const gate = gates[number];
      if (!gate) return;
      const tickets = await readTickets();
      const ticket = tickets[pick % Math.max(1, tickets.length)];
      if (ticket && !gate.admitted.has(ticket.id) && (await check(ticket.payload, gate.isRevoked))) {
        gate.admitted.add(ticket.id);
        gate.waiting.push(ticket);
      }
      if (!isConnected) return;
      for (const { id, place, sailing, sailingId } of gate.waiting.splice(0)) {
        await report({ id, sailingId, gate: number });
        const isAboard = (await readTickets()).some((each) => each.id === id && each.status === 'boarded');
        if (isAboard && !boardings.some((each) => each.id === id)) boardings.push({ id, place, sailing });
      }
      gate.isRevoked = await readRevocations();
      gate.admitted = new Set(boardings.map(({ id }) => id));
    },
    /** What contradicts that a gate with the newest list admits valid tickets alone, and each once. */
    async findContradictions(): Promise<Contradiction[]> {
      const tickets = await readTickets();
      const state = `${partyCodes.size} ${boardings.length} ${tickets.map(({ id, status }) => id + status).join()}`;
      if (state === checked) return [];
      checked = state;
      const isRevoked = await readRevocations();
      return [
        ...(await findWronglyAdmitted(tickets, isRevoked)),
        ...(await findTooLargeParties(tickets, isRevoked)),
        ...findRepeatedBoardings(tickets, boardings),
      ];
    },
  };

  async function findWronglyAdmitted(
    tickets: readonly Ticket[],
    isRevoked: Gate['isRevoked'],
  ): Promise<Contradiction[]> {
    const contradictions: Contradiction[] = [];
    for (const { id, status, payload } of tickets) {
      const parsed = parseCode(payload);
      const isOver = parsed.ok && parsed.fields.validUntilMinute * 60_000 < clock.now().getTime();
      const isAdmitted = await check(payload, isRevoked);
      if (isAdmitted !== (isValid(status) && !isOver)) {
        contradictions.push({ invariant: 7, found: { ticket: id, status, isAdmitted } });
      }
    }
    return contradictions;
  }

  async function findTooLargeParties(
    tickets: readonly Ticket[],
    isRevoked: Gate['isRevoked'],
  ): Promise<Contradiction[]> {
    const contradictions: Contradiction[] = [];
    for (const { payload, sailing, count } of partyCodes.values()) {
      const left = tickets.filter((ticket) => ticket.sailing === sailing && isValid(ticket.status)).length;
      if (count > left && (await check(payload, isRevoked))) {
        contradictions.push({ invariant: 7, found: { sailing, left, admits: count } });
      }
    }
    return contradictions;
  }
}

function newGate(): Gate {
  return { isRevoked: () => false, admitted: new Set(), waiting: [] };
}

function isValid(status: string): boolean {
  return status === 'issued' || status === 'checked_in' || status === 'boarded';
}

/**
 * A place of a party may board once on each boat; who is aboard keeps the ticket. Everybody leaves a boat that is canceled,
 * and may board another one.
 */
function findRepeatedBoardings(tickets: readonly Ticket[], all: readonly Boarding[]): Contradiction[] {
  const boardings = all.filter(({ id }) => tickets.some((each) => each.id === id && each.runs));
  const repeated = [...Map.groupBy(boardings, ({ place }) => place).values()].filter((of) => of.length > 1);
  const lost = boardings.filter(
    ({ id, sailing }) =>
      !tickets.some((each) => each.id === id && each.sailing === sailing && each.status === 'boarded'),
  );
  return [
    ...repeated.map((of) => ({ invariant: 8 as const, found: { boarded: of } })),
    ...lost.map((of) => ({ invariant: 8 as const, found: { aboard: of } })),
  ];
}
