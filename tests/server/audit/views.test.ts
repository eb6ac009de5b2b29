import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type * as z from 'zod/mini';
import { api, calls } from '#contract/api.ts';
import type { StaffOrder } from '#contract/desk/orders/schemas.ts';
import type { Endpoint } from '#contract/endpoint.ts';
import { fillPath } from '#contract/paths.ts';
import { VIEW_ACTIONS } from '#contract/staff/audit/kinds.ts';
import { recordView } from '#server/audit/record-view.ts';
import { auditLog } from '#server/database/schema/audit.ts';
import { refundRequests } from '#server/database/schema/desk.ts';
import { invoices } from '#server/database/schema/invoices.ts';
import { payOrderByStaff } from '#server/orders/buy/pay-order-by-staff.ts';
import { storeWebSettings } from '#server/settings/web-settings.ts';
import { must, type Office, openOffice } from '#tests/factories/buyer.ts';
import { createCustomer } from '#tests/factories/customers.ts';
import { openGate } from '#tests/factories/gate-office.ts';
import { buildCashier, createStaffMember, startStaffSession } from '#tests/factories/staff.ts';
import { addToQueue, buyTickets, sendLink, signInClerk } from '#tests/factories/staff-desk.ts';
import { createTripCard } from '#tests/factories/trip-cards.ts';

let office: Office;
let sailing: string;
let manager: Awaited<ReturnType<typeof openGate>>;
beforeAll(async () => {
  office = await openOffice();
});
afterAll(() => office.close());
beforeEach(async () => {
  await office.reopen();
  await office.database.store.query('update routes set needs_passenger_list = true');
  sailing = office.ferry.outward[0] ?? '';
  office.clock.advance(22 * 3_600_000);
  manager = await openGate(office, sailing, 'manager');
});

/** Fields by which an answer names or reaches a customer. */
const PERSONAL = ['contact_name', 'phone', 'plate', 'traveler_name', 'family_name', 'birth_date', 'email'];
/**
 * Calls whose answers have such fields of people who work here, and files of what they did, of sums, of the timetable, of
 * sample pages, or of the names of what has changed.
 */
const ABOUT_STAFF = [
  'listStaffMembers',
  'getStaffSession',
  'getStaffAccount',
  'exportAuditLog',
  'exportReport',
  'exportPayout',
  'exportDatev',
  'downloadTimetableFile',
  'followDesk',
  'showSettingsPreview',
];

/** A call that is made once. */
async function create(path: string, body: object) {
  const { id } = await createStaffMember(office.context, 'manager');
  const { headers } = await startStaffSession(office.context, id);
  return must(await office.request('POST', path, { headers, body, idempotencyKey: crypto.randomUUID() }));
}

const joinQueue = () =>
  create(fillPath(api.joinQueue.path, { id: sailing }), {
    passengers: [{ type: 'adult', count: 1 }],
    label: 'red van',
  });

const CLOSED = { from: '2026-06-02', until: '2026-06-02', reason: null, texts: [] };
const LATE = { kind: 'delayed', minutes: 40, scope: 'boat', reason: null, texts: [] };
const CANCELED = { kind: 'canceled', scope: 'boat', reason: null, texts: [] };
const changeBoat = (change: object = LATE) => create(fillPath(api.changeBoat.path, { id: sailing }), change);

const REASON = 'The captain agreed.';

/** To another boat. */
const moved = () => ({
  journeys: [{ direction: 'out', sailing_ids: [office.ferry.outward[1] ?? ''] }],
});

/** An order that another person of the office has prepared, and a manager who then makes the call. */
async function openDesk() {
  office.context.config.refundLimit = 200;
  const other = await signInClerk(office, 'office');
  const { call } = await signInClerk(office, 'manager');
  const { id, reference } = await buyTickets(office, 2);
  const whole = { scope: { kind: 'all' }, trip_card: null };
  const preview = async () => must(await other.call(api.previewStaffRefund, { reference }, whole));
  const shown = async (): Promise<StaffOrder> => must(await other.call(api.getStaffOrder, { reference }));
  return {
    ...{ other, id, reference, whole, preview, shown },
    /** Makes the call as the manager, with a refund as previewed. */
    act: async (endpoint: Pick<Endpoint, 'method' | 'path'>, body?: object) =>
      must(await call(endpoint, { reference }, body)),
    /** Decides as the manager about a refund that the other person asks for. */
    async decide(endpoint: Pick<Endpoint, 'method' | 'path'>) {
      office.context.config.refundLimit = 1;
      const { version } = await preview();
      must(await other.call(api.askForRefund, { reference }, { ...whole, version, reason: REASON }));
      const [request] = await office.context.db.select().from(refundRequests);
      return must(await call(endpoint, { id: request?.id ?? '' }));
    },
    async onCard(endpoint: Pick<Endpoint, 'method' | 'path'>, body?: object) {
      const customer = await createCustomer(office.context);
      const card = await createTripCard(office.context, customer.id, { balance: 1000 });
      return must(await call(endpoint, { id: card.id }, body));
    },
    async onCustomer(endpoint: Pick<Endpoint, 'method' | 'path'>) {
      const customer = await createCustomer(office.context);
      return must(await call(endpoint, { id: customer.id }));
    },
    call,
  };
}

/** An order that the desk has sold by a payment link, and a manager. */
async function sellByLink() {
  const desk = await signInClerk(office, 'desk');
  const { reference } = must(await sendLink(desk, await addToQueue(desk, sailing)));
  return { reference, call: (await signInClerk(office, 'manager')).call };
}

/** An invoice, and the calls of a manager for it. */
async function sellOnInvoice() {
  const seller = { name: 'Ferries', address: '1 Dock', tax_number: '1', bank_account: 'IBAN 1' };
  await storeWebSettings(office.context, { seller });
  const { id: orderId } = await office.takeOrder();
  const recipient = { name: 'Kelp School', address: '5 Shore Road', tax_number: '' };
  const payment = { method: 'invoice', recipient, email: 'school@example.com', days: null } as const;
  await payOrderByStaff(office.context, { orderId, payment, cashier: buildCashier() });
  const [invoice] = await office.context.db.select().from(invoices);
  const { call } = await signInClerk(office, 'manager');
  const act = async (endpoint: Pick<Endpoint, 'method' | 'path'>, params: object, body?: object) =>
    must(await call(endpoint, { id: invoice?.id ?? '', ...params }, body));
  const pay = () => {
    const owed = invoice?.amount;
    return act(api.noteTransfer, {}, { day: '2026-06-01', amount: 100, reference: '', owed });
  };
  return { act, pay };
}

/** How a test makes each call that answers with data about customers. */
const TRIES: Readonly<Record<string, () => Promise<unknown>>> = {
  getGatePack: () => manager.readPack(),
  getPassengerList: async () =>
    must(await manager.call('GET', fillPath(api.getPassengerList.path, { id: sailing }))),
  exportPassengerList: () => manager.call('GET', fillPath(api.exportPassengerList.path, { id: sailing })),
  getQueue: async () => must(await manager.call('GET', fillPath(api.getQueue.path, { id: sailing }))),
  joinQueue: () => joinQueue(),
  moveQueue: async () => {
    await joinQueue();
    must(await manager.call('POST', fillPath(api.moveQueue.path, { id: sailing })));
  },
  changeQueueEntry: async () => {
    const [entry] = (await joinQueue()).entries;
    const path = fillPath(api.changeQueueEntry.path, { id: entry.id });
    must(await manager.call('PATCH', path, { status: 'called' }));
  },
  findStaffOrders: async () => must(await manager.call('GET', `${api.findStaffOrders.path}?q=ada`)),
  getStaffOrder: async () => {
    const { reference } = await office.takeOrder();
    must(await manager.call('GET', fillPath(api.getStaffOrder.path, { reference })));
  },
  addOrderNote: async () => (await openDesk()).act(api.addOrderNote, { text: 'Calls back on Friday' }),
  mailStaffTickets: async () => (await openDesk()).act(api.mailStaffTickets),
  mailPaymentLink: async () => {
    const { call, reference } = await sellByLink();
    must(await call(api.mailPaymentLink, { reference }));
  },
  takeOrderPayment: async () => {
    const { call, reference } = await sellByLink();
    must(await call(api.takeOrderPayment, { reference }, { payment: { method: 'cash' } }));
  },
  cancelPaymentLink: async () => {
    const { call, reference } = await sellByLink();
    must(await call(api.cancelPaymentLink, { reference }));
  },
  correctStaffOrder: async () =>
    (await openDesk()).act(api.correctStaffOrder, { traveler_names: ['Ada'], mail_tickets: false }),
  quoteStaffCancellation: async () => {
    const { act, shown } = await openDesk();
    const { order } = await shown();
    return act(api.quoteStaffCancellation, { ticket_ids: order.tickets.map(({ id }) => id) });
  },
  cancelStaffTickets: async () => {
    const { act, shown, other, reference } = await openDesk();
    const { order } = await shown();
    const body = { ticket_ids: order.tickets.map(({ id }) => id) };
    const { version, refund } = must(await other.call(api.quoteStaffCancellation, { reference }, body));
    return act(api.cancelStaffTickets, { ...body, version, refund });
  },
  changeStaffOrder: async () => {
    const { act, other, reference } = await openDesk();
    const { version } = must(await other.call(api.quoteStaffChange, { reference }, moved()));
    return act(api.changeStaffOrder, { ...moved(), version, difference: 0, payment: null });
  },
  makeFreeChange: async () => {
    const { act, other, reference } = await openDesk();
    const { version } = must(await other.call(api.quoteFreeChange, { reference }, moved()));
    const change = { ...moved(), version, difference: 0, payment: null };
    return act(api.makeFreeChange, { ...change, reason: REASON });
  },
  rebookStaffOrder: async () => {
    const { act, shown } = await openDesk();
    await changeBoat(CANCELED);
    const { order } = await shown();
    const [sailingId = ''] = moved().journeys[0]?.sailing_ids ?? [];
    return act(api.rebookStaffOrder, { direction: 'out', sailing_ids: [sailingId], version: order.version });
  },
  previewStaffRefund: async () => {
    const { act, whole } = await openDesk();
    return act(api.previewStaffRefund, whole);
  },
  refundStaffOrder: async () => {
    const { act, whole, preview } = await openDesk();
    const { version } = await preview();
    return act(api.refundStaffOrder, { ...whole, version, reason: REASON });
  },
  askForRefund: async () => {
    const { act, whole, preview } = await openDesk();
    const { version } = await preview();
    return act(api.askForRefund, { ...whole, version, reason: REASON });
  },
  approveRefund: async () => (await openDesk()).decide(api.approveRefund),
  refuseRefund: async () => (await openDesk()).decide(api.refuseRefund),
  revokeStaffTicketShare: async () => {
    const { call, id, reference, shown } = await openDesk();
    const { order } = await shown();
    const body = { ticket_ids: [order.tickets[0]?.id], name: 'Alan' };
    must(await office.request('POST', fillPath(api.shareTickets.path, { id }), { body }));
    const [share] = (await shown()).ticket_shares;
    return must(await call(api.revokeStaffTicketShare, { reference, share_id: share?.id ?? '' }));
  },
  getStaffCustomer: async () => (await openDesk()).onCustomer(api.getStaffCustomer),
  unblockCustomer: async () => (await openDesk()).onCustomer(api.unblockCustomer),
  replaceStaffTripCard: async () => (await openDesk()).onCard(api.replaceStaffTripCard),
  adjustStaffTripCard: async () =>
    (await openDesk()).onCard(api.adjustStaffTripCard, { amount: 100, reason: REASON }),
  getOrderAsCustomer: async () => (await openDesk()).act(api.getOrderAsCustomer),
  getAccountAsCustomer: async () => (await openDesk()).onCustomer(api.getAccountAsCustomer),
  listWork: async () => must(await manager.call('GET', api.listWork.path)),
  getDeskBoat: async () => must(await manager.call('GET', fillPath(api.getDeskBoat.path, { id: sailing }))),
  previewBoatChange: async () =>
    must(await manager.call('POST', fillPath(api.previewBoatChange.path, { id: sailing }), LATE)),
  changeBoat: () => changeBoat(),
  previewPortClosure: async () =>
    must(await manager.call('POST', fillPath(api.previewPortClosure.path, { code: 'SOU' }), CLOSED)),
  closePort: () => create(fillPath(api.closePort.path, { code: 'SOU' }), CLOSED),
  previewUndoBoatChanges: async () => {
    const { changes } = await changeBoat();
    must(await manager.call('POST', api.previewUndoBoatChanges.path, { changes }));
  },
  undoBoatChanges: async () => {
    const { changes } = await changeBoat();
    must(await manager.call('POST', api.undoBoatChanges.path, { changes }));
  },
  listInvoices: async () => must(await manager.call('GET', `${api.listInvoices.path}?state=open`)),
  noteTransfer: async () => (await sellOnInvoice()).pay(),
  takeBackTransfer: async () => {
    const { act, pay } = await sellOnInvoice();
    const [{ seq }] = (await pay()).transfers;
    return act(api.takeBackTransfer, { seq: String(seq) });
  },
  mailInvoice: async () => (await sellOnInvoice()).act(api.mailInvoice, {}, { kind: 'invoice' }),
  setTravelerDetailsAtGate: async () => {
    const { order, intent } = await office.takePayment();
    await office.confirmWith(intent);
    await office.provider.deliverNow();
    const [ticket] = (await office.readOrder(order.id)).tickets;
    const path = fillPath(api.setTravelerDetailsAtGate.path, { id: sailing, ticket_id: ticket.id });
    const name = { family_name: 'Lovelace', forenames: 'Ada', gender: 'female', nationality: 'GB' };
    return must(await manager.call('PUT', path, { ...name, birth_date: '1985-12-10' }));
  },
};

test('every call of staff that answers with data about customers is tried here', () => {
  const personal = calls
    .filter(({ auth, name }) => auth === 'staff' && !ABOUT_STAFF.includes(name))
    .filter(
      ({ response }) =>
        'mediaType' in response || listFields(response).some((field) => PERSONAL.includes(field)),
    );
  expect(personal.map(({ name }) => name).toSorted()).toEqual(Object.keys(TRIES).toSorted());
});

test.each(Object.keys(TRIES))('%s is recorded with who looked at what', async (name) => {
  await TRIES[name]?.();
  const entries = await office.context.db.select().from(auditLog).orderBy(auditLog.seq);
  const view = entries.find(
    ({ action, actorRole }) => actorRole === 'manager' && VIEW_ACTIONS.some((each) => each === action),
  );
  expect(view).toMatchObject({ actorKind: 'staff', device: expect.any(String) });
  expect(['port', 'sailing', 'exception', 'work_list', 'order', 'customer', 'call']).toContain(
    view?.objectKind,
  );
});

test('a list that a device loads again and again is recorded once an hour', async () => {
  const count = () => office.context.db.$count(auditLog);
  await manager.readPack();
  await manager.readPack();
  expect(await count()).toBe(1);
  office.clock.advance(61 * 60_000);
  await manager.readPack();
  expect(await count()).toBe(2);
});

test('a view with a reason is recorded each time', async () => {
  const view = {
    actor: { kind: 'staff', staffId: 'stf_1', role: 'office', device: 'Safari on iPad', network: '' },
    action: 'order_viewed',
    objectKind: 'order',
    objectId: 'ord_1',
    reason: 'The customer calls',
  } as const;
  await recordView(office.context, view);
  await recordView(office.context, view);
  expect(await office.context.db.select().from(auditLog)).toMatchObject([
    { action: 'order_viewed', reason: 'The customer calls' },
    { action: 'order_viewed', reason: 'The customer calls' },
  ]);
});

test('a printed list of a boat is recorded once its device has reported it', async () => {
  must(await manager.send({ ...manager.count(0), type: 'print', people: undefined } as never));
  expect(await office.context.db.select().from(auditLog)).toMatchObject([
    { action: 'paper_list_printed', objectKind: 'sailing', objectId: sailing },
  ]);
});

type Definition = {
  shape?: Record<string, z.ZodMiniType>;
  element?: z.ZodMiniType;
  innerType?: z.ZodMiniType;
  options?: readonly z.ZodMiniType[];
};

/** The names of all fields of a schema. */
function listFields(schema: z.ZodMiniType | { mediaType: string }): string[] {
  if (!('_zod' in schema)) return [];
  const { shape = {}, element, innerType, options = [] } = schema._zod.def as Definition;
  const inner = [...Object.values(shape), element, innerType, ...options];
  return [...Object.keys(shape), ...inner.flatMap((each) => (each ? listFields(each) : []))];
}
