import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import type { GateEvent } from '#contract/gate/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import { parseCode } from '#domain/orders/ticket-code.ts';
import { executeCommand } from '#server/commands/command.ts';
import { sailingsCommand } from '#server/commands/sailings.ts';
import { vessels } from '#server/database/schema/timetable.ts';
import { findTravelDocument } from '#server/documents/travel-document.ts';
import { findVoyage } from '#server/operations/find-voyage.ts';
import { countByStretch, listPassengers } from '#server/operations/manifest.ts';
import { listRevokedTickets } from '#server/operations/revoked-tickets.ts';
import { refundOrder } from '#server/orders/pay/refund-order.ts';
import { revokeTicketKey } from '#server/orders/tickets/keys.ts';
import { reissueTickets } from '#server/orders/tickets/reissue-tickets.ts';
import { codeOf, must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { changesOf } from '#tests/factories/changes.ts';
import { openGate } from '#tests/factories/gate-office.ts';
import type { TestReply } from '#tests/setup/server.ts';

/* What the rest of the product makes of tickets that the gate has boarded, and of those who did not come. */

let office: Office;
let buyer: ReturnType<typeof changesOf>;
let gate: Awaited<ReturnType<typeof openGate>>;
let sailing: string;
let order: TestReply['body'];
/** Ada is aboard; Grace and the car are not. */
let ada: TestReply['body'];
let grace: TestReply['body'];
beforeAll(async () => {
  office = await openOffice();
  buyer = changesOf(office);
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  sailing = office.ferry.outward[0] ?? '';
  order = await buyer.buy({ adults: 2, vehicle: { type: 'car', length_cm: 450 } });
  office.clock.advance(22 * 3_600_000);
  gate = await openGate(office, sailing);
  [ada, grace] = order.tickets;
  must(await gate.send(gate.board([ada.id])));
  order = await office.readOrder(order.id);
});

const post = (path: string, body: object) =>
  office.request('POST', fillPath(path as typeof api.getOrder.path, { id: order.id }), {
    body,
    idempotencyKey: crypto.randomUUID(),
  });
const reasonOf = (reply: TestReply) => reply.body.errors[0]?.reason;

describe('a boarded ticket', () => {
  test('is shown as used to the passengers', () => {
    expect(order.tickets.map(({ status }: { status: string }) => status)).toEqual([
      'boarded',
      'issued',
      'issued',
    ]);
  });

  test('cannot be canceled, the others can', async () => {
    const quote = (ids: string[]) => post(api.quoteCancellation.path, { ticket_ids: ids });
    expect(reasonOf(await quote([ada.id]))).toBe('ticket_checked_in');
    expect((await quote([grace.id])).status).toBe(200);
  });

  test('keeps the journey from being changed', async () => {
    const [, later = ''] = office.ferry.outward;
    const reply = await buyer.quote(order, [{ direction: 'out', to: [later], adults: 2 }]);
    expect([codeOf(reply), reasonOf(reply)]).toEqual(['check_in_closed', 'trip_checked_in']);
  });

  test('is not in the code of its party, which admits those who are left', () => {
    expect(order.party_codes).toMatchObject([{ passengers: 1, vehicles: 1, bicycles: 0 }]);
  });

  test('cannot be shared anymore, but a link made before still shows it', async () => {
    const share = (id: string) => post(api.shareTickets.path, { ticket_ids: [id] });
    expect((await share(ada.id)).status).toBe(422);
    const { url } = must(await share(grace.id));
    must(await gate.send(gate.board([grace.id])));
    const token = url.split('/').at(-1);
    const shared = must(await office.request('GET', fillPath(api.getSharedTickets.path, { token })));
    expect(shared.tickets).toMatchObject([{ id: grace.id, status: 'boarded' }]);
  });

  test('keeps its code when the operator’s key is replaced', async () => {
    const before = new Map(order.tickets.map((each: TestReply['body']) => [each.id, each.barcode.payload]));
    const parsed = parseCode(ada.barcode.payload);
    if (!parsed.ok) throw new Error('The code is damaged.');
    await revokeTicketKey(office.context, parsed.fields.keyId);
    await reissueTickets(office.context);
    const { tickets } = await office.readOrder(order.id);
    const changed = tickets.filter((each: TestReply['body']) => each.barcode.payload !== before.get(each.id));
    expect(changed.map(({ id }: { id: string }) => id)).toEqual([grace.id, order.tickets[2].id]);
  });

  test('stays in the order’s documents and on the passenger list', async () => {
    const document = await findTravelDocument(office.context.db, order.id);
    expect(document?.tickets.map(({ status }) => status)).toEqual(['boarded', 'issued', 'issued']);
    const voyage = await findVoyage(office.context.db, { sailingId: sailing });
    const { columns, rows } = await listPassengers(office.context.db, voyage);
    const status = columns.indexOf('status');
    expect(rows.map((row) => row[status]).toSorted()).toEqual(['boarded', 'issued', 'issued']);
    const counts = await countByStretch(office.context.db, voyage);
    expect(counts.rows[0]?.[counts.columns.indexOf('vehicles')]).toBe(1);
  });

  test('counts for its party on the list of revoked tickets', async () => {
    await office.database.store.query(`update tickets set status = 'canceled' where id = $1`, [grace.id]);
    const { rows } = await listRevokedTickets(office.context.db, office.clock.now());
    expect(rows).toEqual([[grace.id, order.reference, sailing, 1, 1, 0]]);
  });

  test('is not refunded with the rest of its order', async () => {
    await expect(
      refundOrder(office.context, {
        actor: { kind: 'server' },
        reference: order.reference,
        toTripCard: null,
      }),
    ).rejects.toThrow('have been used');
  });
});

describe('a boat that is canceled with passengers aboard', () => {
  const cancelBoat = async () =>
    executeCommand(sailingsCommand, office.context, await sailingsCommand.read(['cancel', sailing]));

  test('takes them off, and they have the same choice as the others', async () => {
    await cancelBoat();
    const { tickets, legs, needs_attention } = await office.readOrder(order.id);
    expect(tickets.map(({ status }: { status: string }) => status)).toEqual(['issued', 'issued', 'issued']);
    expect(legs[0].status).toBe('canceled');
    expect(needs_attention).toBe('sailing_canceled');
    const options = must(await office.request('GET', fillPath(api.getOrderOptions.path, { id: order.id })));
    expect(options).toMatchObject({ refund: order.total, journeys: [{ direction: 'out' }] });
    const party = (await gate.readPack()).parties[0];
    expect(party?.tickets.map(({ boarding }) => boarding)).toEqual([null, null, null]);
  });

  test('takes off those whose scans arrive later, from a gate without a connection', async () => {
    await cancelBoat();
    must(await gate.send(gate.board([ada.id, grace.id])));
    const { tickets, version } = await office.readOrder(order.id);
    expect(tickets.map(({ status }: { status: string }) => status)).toEqual(['issued', 'issued', 'issued']);
    const { journeys } = must(
      await office.request('GET', fillPath(api.getOrderOptions.path, { id: order.id })),
    );
    const [journey] = journeys[0].others;
    const ids = journey.map(({ sailing_id: id }: { sailing_id: string }) => id);
    must(await post(api.rebookOrder.path, { direction: 'out', version, sailing_ids: ids }));
  });

  test('does not take off those of a boat that has left', async () => {
    must(await gate.change('departSailing'));
    await cancelBoat();
    const { tickets } = await office.readOrder(order.id);
    expect(tickets[0].status).toBe('boarded');
  });
});

describe('a boat that is canceled after check-in closed', () => {
  const cancelBoat = async () =>
    executeCommand(sailingsCommand, office.context, await sailingsCommand.read(['cancel', sailing]));

  test('gives those who did not come their choice too, with their places', async () => {
    must(await gate.change('closeCheckIn'));
    await cancelBoat();
    const { tickets } = await office.readOrder(order.id);
    expect(tickets.map(({ status }: { status: string }) => status)).toEqual(['issued', 'issued', 'issued']);
    const options = must(await office.request('GET', fillPath(api.getOrderOptions.path, { id: order.id })));
    expect(options).toMatchObject({ refund: order.total });
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 2], lane_cm: [0, 500] });
  });

  test('gives them their choice also if their places were sold to others meanwhile', async () => {
    must(await gate.change('closeCheckIn'));
    await office.database.store.query(
      `update voyage_capacity set held = sellable_online - sold where resource in ('passenger', 'lane_cm')`,
    );
    await cancelBoat();
    const { tickets } = await office.readOrder(order.id);
    expect(tickets.map(({ status }: { status: string }) => status)).toEqual(['issued', 'issued', 'issued']);
  });

  test('leaves those who missed a boat that has left without a choice', async () => {
    must(await gate.change('departSailing'));
    await cancelBoat();
    const { tickets } = await office.readOrder(order.id);
    expect(tickets.map(({ status }: { status: string }) => status)).toEqual([
      'boarded',
      'no_show',
      'no_show',
    ]);
  });
});

describe('a passenger who did not come', () => {
  beforeEach(async () => {
    must(await gate.change('departSailing'));
    order = await office.readOrder(order.id);
  });

  test('has missed the boat, and neither a code for a party nor a place', async () => {
    expect(order.tickets.map(({ status }: { status: string }) => status)).toEqual([
      'boarded',
      'no_show',
      'no_show',
    ]);
    expect(order.party_codes).toEqual([]);
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 1], lane_cm: [0, 0] });
  });

  test('cannot cancel or change the ticket anymore', async () => {
    expect((await post(api.quoteCancellation.path, { ticket_ids: [grace.id] })).status).toBe(422);
    const [, later = ''] = office.ferry.outward;
    expect(codeOf(await buyer.quote(order, [{ direction: 'out', to: [later], adults: 2 }]))).toBe(
      'check_in_closed',
    );
  });

  test('may board a later boat of the day if the fare says so', async () => {
    const [, later = ''] = office.ferry.outward;
    const second = await openGate(office, later);
    must(await second.send(second.board([grace.id])));
    const { tickets } = await office.readOrder(order.id);
    expect(tickets[1].status).toBe('boarded');
    const party = (await second.readPack()).parties.find(({ reference }) => reference === order.reference);
    expect(party?.tickets[1]?.boarding).toMatchObject({ sailing_id: later });
  });
});

describe('a departure whose gate has sent no scans', () => {
  const readStatuses = async () =>
    (await office.readOrder(order.id)).tickets.map(({ status }: { status: string }) => status);
  const print = (): GateEvent => ({ ...gate.count(0), type: 'print' }) as GateEvent;

  beforeEach(async () => {
    await office.reopen({ passengers: 10 });
    sailing = office.ferry.outward[0] ?? '';
    order = await buyer.buy({ adults: 2 });
    office.clock.advance(22 * 3_600_000);
    gate = await openGate(office, sailing);
    [ada, grace] = order.tickets;
  });

  test('does not say that anyone missed the boat, and keeps them on the passenger list', async () => {
    must(await gate.change('departSailing'));
    expect(await readStatuses()).toEqual(['issued', 'issued']);
    const voyage = await findVoyage(office.context.db, { sailingId: sailing });
    expect((await listPassengers(office.context.db, voyage)).rows).toHaveLength(2);
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 2] });
  });

  test('says it once the scans arrive, and shows who has boarded', async () => {
    must(await gate.change('departSailing'));
    must(await gate.send(gate.board([ada.id])));
    expect(await readStatuses()).toEqual(['boarded', 'no_show']);
    must(await gate.send(gate.board([grace.id])));
    expect(await readStatuses()).toEqual(['boarded', 'boarded']);
  });

  test('does not say it of a printed list whose gate closed check-in', async () => {
    must(await gate.send(print()));
    must(await gate.change('closeCheckIn'));
    office.clock.advance(60_000);
    must(await gate.change('departSailing'));
    expect(await readStatuses()).toEqual(['issued', 'issued']);
  });

  test('says it if the gate closed check-in, until a list turns out to have been printed', async () => {
    must(await gate.change('closeCheckIn'));
    expect(await readStatuses()).toEqual(['no_show', 'no_show']);
    must(await gate.send(print()));
    expect(await readStatuses()).toEqual(['issued', 'issued']);
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 2] });
  });

  test('gives all their places back on a boat that sells only a share online', async () => {
    must(await gate.change('closeCheckIn'));
    expect(await readStatuses()).toEqual(['no_show', 'no_show']);
    await office.context.db.update(vessels).set({ onlinePercent: 10 });
    must(await gate.change('reopenCheckIn'));
    expect(await readStatuses()).toEqual(['issued', 'issued']);
    expect(await office.taken(sailing)).toMatchObject({ passenger: [0, 2] });
  });

  test('ends the cancellation of tickets, also before the time of the timetable', async () => {
    const quote = () => post(api.quoteCancellation.path, { ticket_ids: [grace.id] });
    must(await quote());
    must(await gate.change('departSailing'));
    expect(reasonOf(await quote())).toBe('tickets_departed');
  });
});
