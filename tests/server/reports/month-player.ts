import { randomUUID } from 'node:crypto';
import { api } from '#contract/api.ts';
import type { SellCards } from '#contract/desk/card-sales/schemas.ts';
import type { RefundPreview } from '#contract/desk/refunds/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import { bookBreakage } from '#server/accounting/book-breakage.ts';
import { executeCommand } from '#server/commands/command.ts';
import { sailingsCommand } from '#server/commands/sailings.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { sellCards } from '#server/desk/card-sales/sell-cards.ts';
import { takeBackSale } from '#server/desk/card-sales/take-back.ts';
import { noteTransfer, takeBackTransfer } from '#server/desk/invoices/transfers.ts';
import { chargeMeasurement } from '#server/gate/vehicles/charge-measurement.ts';
import { priceMeasurement } from '#server/gate/vehicles/price-measurement.ts';
import { ApiError } from '#server/http/api-error.ts';
import { payOrderByStaff } from '#server/orders/buy/pay-order-by-staff.ts';
import { listDueRefunds, payOutRefund } from '#server/orders/pay/pay-out-refund.ts';
import { refundOrder } from '#server/orders/pay/refund-order.ts';
import { registerOfferJobs } from '#server/orders/rebook/settle-offers.ts';
import { replaceLostCard } from '#server/trip-cards/block-card.ts';
import { adjustBalance, takeCharge } from '#server/trip-cards/operator-commands.ts';
import { registerTripCardJobs } from '#server/trip-cards/trip-card-jobs.ts';
import { undoCharge } from '#server/trip-cards/undo-charge.ts';
import { must } from '#tests/factories/buyer.ts';
import { buildCashier, createStaffMember, startStaffSession } from '#tests/factories/staff.ts';
import { signInClerk } from '#tests/factories/staff-desk.ts';
import { createTripCard } from '#tests/factories/trip-cards.ts';
import { openGates } from '#tests/server/histories/gates.ts';
import { DISPUTED, type Order, openTraveler } from '#tests/server/histories/traveler.ts';
import type { CardOffice } from '#tests/server/payment-cards/wallet.ts';

const MINUTE = 60_000;
const RECIPIENT = { name: 'Kelp School', address: '5 Shore Road, Madrona', tax_number: '' };
const ON_INVOICE = { method: 'invoice', recipient: RECIPIENT, email: 'school@example.com', days: 5 } as const;
const CARDS = [undefined, undefined, undefined, DISPUTED];

/** Numbers from a seed (mulberry32), so that a month can be played again. */
export function createDice(seed: number) {
  let state = seed;
  const roll = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const upTo = (most: number) => Math.floor(roll() * (most + 1));
  return { upTo, pick: <Item>(items: readonly Item[]): Item | undefined => items[upTo(items.length - 1)] };
}
type Dice = ReturnType<typeof createDice>;
type Traveler = Awaited<ReturnType<typeof openTraveler>>;

/**
 * Buyers, people of the desk and the office, gates, banks and the card provider, who do one thing after another at random.
 * @param currency of the office; `unit`: what amounts are multiples of, such as a cent
 */
export async function openMonth(
  office: CardOffice,
  { dice, currency, unit }: { dice: Dice; currency: string; unit: number },
) {
  const { context, clock, database } = office;
  const { store } = database;
  await registerOfferJobs(context);
  await registerTripCardJobs(context);
  const people: { traveler: Traveler; isGuest: boolean; orders: string[] }[] = [];
  for (const isGuest of [true, false, false]) {
    people.push({ traveler: await openTraveler(office, { isGuest }), isGuest, orders: [] });
    clock.advance(MINUTE);
  }
  await store.query(
    `update trip_cards set currency = $1, pass = pass || jsonb_build_object('currency', $1::text)`,
    [currency],
  );
  const wallet = await office.openWallet();
  const savedCard = await wallet.add();
  const topped = await createTripCard(context, wallet.customer.id, { currency });
  const cashier = buildCashier((await createStaffMember(context, 'desk')).id);
  const clerk = buildCashier((await createStaffMember(context, 'office')).id);
  await store.query(`update staff_members set name = 'Alan Turing' where id = $1`, [clerk.staffId]);
  const gates = openGates(office);
  let charges = 0;

  const listSailings = (direction: 'out' | 'back') =>
    store.query<{ id: string }>(
      `select s.id from sailings s join routes r on r.id = s.route_id
       where r.code = $1 and s.departs_at > $2 order by s.departs_at limit 12`,
      [direction === 'out' ? 'north-south' : 'south-north', clock.now().toISOString()],
    );
  const pickSailing = async (direction: 'out' | 'back') => dice.pick(await listSailings(direction))?.id ?? '';
  const pickParty = () => ({
    adults: 1 + dice.upTo(2),
    children: dice.upTo(2),
    bicycles: dice.upTo(1),
    vehicle: dice.upTo(2) === 0 ? { type: 'car', length_cm: 400 + 50 * dice.upTo(6) } : null,
  });
  const pickPurchase = async () => {
    const promo = dice.pick(['TEN', undefined, undefined]);
    const legs = [await pickSailing('out'), ...(dice.upTo(1) === 0 ? [await pickSailing('back')] : [])];
    return { ...pickParty(), legs, ...(promo ? { promo } : {}) };
  };
  const pickPerson = () => people[dice.upTo(people.length - 1)]!;
  const pickOrder = async () => {
    const person = pickPerson();
    const id = dice.pick(person.orders);
    return id === undefined ? null : { person, order: await office.readOrder(id) };
  };
  const pickTickets = (order: Order): string[] =>
    order.tickets
      .filter(({ status }: Order) => status === 'issued' && dice.upTo(1) === 0)
      .map(({ id }: Order) => id);
  const giveBack = (reference: string, scope: NonNullable<Parameters<typeof refundOrder>[1]['scope']>) =>
    refundOrder(context, { reference, toTripCard: null, scope, note: 'a random month', actor: cashier });
  const pickReference = async () =>
    dice.pick(
      await store.query<{ id: string; reference: string }>(
        'select id, reference from orders where confirmed_at is not null order by inserted_at, id',
      ),
    );
  const pickCard = async () =>
    dice.pick(
      await store.query<{ id: string; number: string; unit: 'money' | 'trips' }>(
        `select id, number, unit from trip_cards where status = 'active' order by inserted_at, unit`,
      ),
    );

  async function sellOnCards(payment: SellCards['payment']): Promise<string> {
    const [product, price] =
      dice.upTo(1) === 0
        ? [{ kind: 'pass' as const, code: 'ten_trips' }, 7400 * unit]
        : [{ kind: 'money' as const, amount: 2000 * unit }, 2000 * unit];
    const count = 1 + dice.upTo(2);
    return sellCards(context, {
      sale: { product, cards: { kind: 'new', count }, payment, total: count * price },
      ...{ claim: randomUUID(), cashier: dice.pick([cashier, clerk]) ?? cashier, language: 'en' },
    });
  }

  async function runJobs(): Promise<void> {
    clock.advance(2 * MINUTE);
    for (const job of ['reconcile-payments', 'expire-holds', 'settle-offers', 'reconcile-top-ups'] as const) {
      await office.jobs.send(job, {});
    }
    await office.jobs.runJobs();
    await office.provider.deliverNow();
  }

  /** Each returns false, or throws what the API refuses, if it could not be done. */
  const steps = {
    async 'buy online'() {
      const person = pickPerson();
      const by = person.isGuest
        ? 'card'
        : (dice.pick(['card', 'trip card', 'part by trip card', 'pass'] as const) ?? 'card');
      const order = await person.traveler.buy(await pickPurchase(), { by, isDisputed: dice.upTo(9) === 0 });
      person.orders.push(order.id);
    },
    async 'sell at the desk'() {
      const order = await office.takeOrder(await pickPurchase());
      const payment =
        dice.upTo(1) === 0
          ? ({ method: 'cash' } as const)
          : ({ method: 'terminal', reference: '4711' } as const);
      await payOrderByStaff(context, {
        orderId: order.id,
        payment,
        cashier: dice.pick([cashier, clerk]) ?? cashier,
      });
      return order;
    },
    async 'sell on an invoice'() {
      const order = await office.takeOrder(await pickPurchase());
      const payment = {
        method: 'invoice',
        recipient: RECIPIENT,
        email: 'school@example.com',
        days: 1 + dice.upTo(20),
      } as const;
      await payOrderByStaff(context, { orderId: order.id, payment, cashier: clerk });
    },
    async 'sell on several cards'() {
      await sellOnCards(
        dice.pick([{ method: 'cash' }, { method: 'terminal', reference: '4713' }, ON_INVOICE] as const) ??
          ON_INVOICE,
      );
    },
    async 'take back what was sold on several cards'() {
      const saleId = await sellOnCards(ON_INVOICE);
      clock.advance(MINUTE);
      await takeBackSale(context, { saleId, actor: clerk });
    },
    async 'note a transfer'() {
      const [owed] = await store.query<{ id: string; owed: number }>(
        `select id, (amount - credited - paid)::int as owed from invoices where settled_at is null order by inserted_at limit 1`,
      );
      if (!owed) return false;
      const amount = dice.upTo(1) === 0 ? owed.owed : 1 + dice.upTo(owed.owed - 1);
      const day = clock.now().toISOString().slice(0, 10);
      const transfer = { day, amount, reference: 'Kelp School', owed: owed.owed };
      await noteTransfer(context, { invoiceId: owed.id, transfer, actor: clerk, language: 'en' });
    },
    async 'take back a transfer'() {
      const [noted] = await store.query<{ seq: number; invoice: string }>(
        `select seq::int, invoice_id as invoice from invoice_entries where kind = 'transferred' and takes_back_seq is null
         and not exists (select from invoice_entries b where b.takes_back_seq = invoice_entries.seq)
         order by seq desc limit 1`,
      );
      if (!noted) return false;
      await takeBackTransfer(context, { invoiceId: noted.invoice, seq: noted.seq, actor: clerk });
    },
    async cancel() {
      const picked = await pickOrder();
      if (!picked) return false;
      await picked.person.traveler.cancel(picked.order, pickTickets(picked.order), dice.upTo(2) === 0);
    },
    async 'dispute what went to a trip card'() {
      const { traveler } = people[1 + dice.upTo(1)]!;
      const { id } = await traveler.buy(await pickPurchase(), { by: 'card', isDisputed: true });
      const order = await office.readOrder(id);
      await traveler.cancel(
        order,
        order.tickets.map((ticket: Order) => ticket.id),
        true,
      );
      await office.provider.deliverNow();
    },
    async change() {
      const picked = await pickOrder();
      if (!picked) return false;
      const { bicycles: _, ...party } = pickParty();
      const journey = { ...party, direction: 'out' as const, to: [await pickSailing('out')] };
      const outcome =
        dice.pick(['pay', 'pay', 'pay by trip card', 'dispute', 'abandon', 'pay late'] as const) ?? 'pay';
      await picked.person.traveler.change(picked.order, [journey], { outcome, onHeld: async () => {} });
    },
    async rebook() {
      const picked = await pickOrder();
      if (!picked) return false;
      await picked.person.traveler.rebook(picked.order);
    },
    async 'refund an amount'() {
      const order = await pickReference();
      if (!order) return false;
      await giveBack(order.reference, { kind: 'amount', amount: String(1 + dice.upTo(4)) });
    },
    async 'refund tickets'() {
      const picked = await pickReference();
      if (!picked) return false;
      const tickets = await store.query<{ code: string }>(
        `select boarding_code as code from tickets where order_id = $1 and status = 'issued' order by leg, party_index`,
        [picked.id],
      );
      const codes = tickets.map(({ code }) => code).slice(0, 1 + dice.upTo(1));
      if (codes.length === 0) return false;
      await giveBack(
        picked.reference,
        dice.upTo(3) === 0 ? { kind: 'all' } : { kind: 'tickets', boardingCodes: codes },
      );
    },
    async 'refund by two people'() {
      const order = await pickReference();
      if (!order) return false;
      const [asking, approving] = [await signInClerk(office, 'office'), await signInClerk(office, 'manager')];
      const { reference } = order;
      const what = { scope: { kind: 'all' }, trip_card: null };
      const preview: RefundPreview = must(await asking.call(api.previewStaffRefund, { reference }, what));
      const body = { ...what, version: preview.version, reason: 'The captain agreed.' };
      if (!preview.needs_approval)
        return void must(await asking.call(api.refundStaffOrder, { reference }, body));
      must(await asking.call(api.askForRefund, { reference }, body));
      const [request] = await store.query<{ id: string }>(
        `select id from refund_requests where status = 'open' and asked_by = $1`,
        [asking.id],
      );
      must(await approving.call(api.approveRefund, { id: request?.id ?? '' }, {}));
    },
    async 'pay out what is due'() {
      if ((await listDueRefunds(context.db)).length === 0) {
        const { reference } = await steps['sell at the desk']();
        await giveBack(reference, { kind: 'all' });
      }
      const due = await listDueRefunds(context.db);
      for (const { id: refundId } of due) {
        const how = dice.pick(['cash', 'terminal', 'bank'] as const);
        await payOutRefund(context, {
          refundId,
          actor: dice.pick([cashier, clerk]) ?? cashier,
          terminalReference: how === 'terminal' ? '4712' : null,
          bankReference: how === 'bank' ? 'Kelp School, back' : null,
        });
      }
      return due.length > 0;
    },
    async 'decide a dispute'() {
      const { data } = await office.stripe.disputes.list({ limit: 100 });
      const open = data.findLast(({ status }) => status === 'needs_response');
      if (!open) return false;
      const evidence = dice.pick(['winning_evidence', 'losing_evidence']) ?? '';
      await office.stripe.disputes.update(open.id, {
        evidence: { uncategorized_text: evidence },
        submit: true,
      });
      await office.provider.deliverNow();
    },
    async disrupt() {
      const id = await pickSailing(dice.pick(['out', 'back'] as const) ?? 'out');
      const args = dice.upTo(1) === 0 ? ['cancel', id] : ['delay', id, '150'];
      await executeCommand(sailingsCommand, context, await sailingsCommand.read(args));
    },
    async 'top up'() {
      await wallet.signInAgain();
      const path = `/api/customers/trip_cards/${topped.id}/top_ups`;
      const started = must(
        await wallet.request('POST', path, { body: { amount: 2000 * unit }, idempotencyKey: randomUUID() }),
      );
      await office.confirmWith(String(started.client_secret).split('_secret', 1)[0] ?? '', dice.pick(CARDS));
      await office.provider.deliverNow();
    },
    async 'renew a pass that has ended'() {
      const [ended] = await store.query(
        `select id from trip_cards where customer_id = $1 and expires_at <= $2`,
        [wallet.customer.id, clock.now().toISOString()],
      );
      if (!ended) return false;
      await steps['buy a pass']();
    },
    async 'buy a pass'() {
      await wallet.signInAgain();
      const body = { code: 'ten_trips', price: 7400 * unit, payment_card_id: savedCard.id };
      must(await wallet.request('POST', '/api/customers/passes', { body, idempotencyKey: randomUUID() }));
    },
    async 'replace a lost pass'() {
      const [pass] = await store.query<{ id: string }>(
        `select id from trip_cards where customer_id = $1 and unit = 'trips' and status = 'active' order by inserted_at limit 1`,
        [wallet.customer.id],
      );
      if (!pass) return false;
      await replaceLostCard(context, { customerId: wallet.customer.id, cardId: pass.id });
    },
    async 'use a pass that was not paid for here'() {
      const { traveler, orders } = people[1 + dice.upTo(1)]!;
      const order = await traveler.buy(
        { adults: 1, legs: [await pickSailing('out')] },
        { by: 'pass', isDisputed: false },
      );
      orders.push(order.id);
      const [paid] = await store.query('select from payments where order_id = $1 and coverage is not null', [
        order.id,
      ]);
      return paid !== undefined;
    },
    async 'use the pass or the card'() {
      await wallet.signInAgain();
      const order = await office.takeOrder({ adults: 1, legs: [await pickSailing('out')] });
      await store.query('update orders set customer_id = $1 where id = $2', [wallet.customer.id, order.id]);
      const offers = must(await wallet.request('GET', fillPath(api.listPassOffers.path, { id: order.id })));
      const offer = offers.find(({ amount }: { amount: number }) => amount === order.total);
      const body = offer
        ? { method: 'trip_card', trip_card_id: offer.trip_card_id, trips: offer.trips }
        : { method: 'trip_card', trip_card_id: topped.id };
      must(
        await wallet.request('POST', fillPath(api.startPayment.path, { id: order.id }), {
          body,
          idempotencyKey: randomUUID(),
        }),
      );
    },
    async 'correct a card'() {
      const card = await pickCard();
      if (!card) return false;
      const amount = (dice.upTo(1) === 0 ? 1 : -1) * (card.unit === 'trips' ? 1 : 100 * unit);
      await adjustBalance(context, {
        number: card.number,
        amount,
        reason: 'A reader failed',
        key: randomUUID(),
        actor: clerk,
      });
    },
    async 'charge at the gate'() {
      const card = await pickCard();
      if (!card) return false;
      charges += 1;
      const amount = card.unit === 'trips' ? 1 : (dice.pick([500, 900, 4000]) ?? 500) * unit;
      const charge = {
        ...{ deviceId: 'gate-1', deviceSeq: charges, number: card.number, unit: card.unit },
        ...{ amount, place: 'Madrona', occurredAt: clock.now() },
      };
      await takeCharge(context, { charge, actor: { kind: 'server' } });
      if (dice.upTo(4) > 0) return;
      const undo = { device: 'Madrona', occurredAt: clock.now() };
      await inTransaction(context.db, (tx) =>
        undoCharge(tx, context, { deviceId: 'gate-1', deviceSeq: charges, undo, actor: { kind: 'server' } }),
      );
    },
    async 'measure a vehicle'() {
      const [ticket] = await store.query<{ id: string }>(
        `select id from tickets where kind = 'vehicle' and status = 'issued' order by issued_at desc, leg, party_index limit 1`,
      );
      if (!ticket) return false;
      await inTransaction(context.db, async (tx) => {
        const measured = { length_cm: 700 + 50 * dice.upTo(4), height_cm: null };
        const priced = await priceMeasurement(tx, { ticketId: ticket.id, measured });
        await chargeMeasurement(tx, context, {
          priced,
          payment: { method: 'cash' },
          cashier,
          isAboard: true,
        });
      });
    },
    async 'scan tickets'() {
      const scan = () => gates.scan({ gate: 0, pick: dice.upTo(1000), isConnected: true });
      for (let count = 0; count < 4; count += 1) await scan();
    },
    async 'pay out'() {
      await office.provider.payOut({ isAtOnce: true, isReturned: dice.upTo(5) === 0 });
      await office.provider.deliverNow();
      await office.provider.deliverNow();
    },
    async 'count a drawer'() {
      clock.advance(MINUTE);
      const by = await signInDrawer();
      if (dice.upTo(1) === 0) must(await by(api.openDrawer, { opening: 10_000 }));
      else must(await by(api.closeDrawer, { counted: 10_000 + dice.upTo(500), note: '' }));
      clock.advance(MINUTE);
    },
    'run jobs': runJobs,
  } satisfies Record<string, () => Promise<unknown>>;

  async function signInDrawer() {
    const { headers } = await startStaffSession(context, cashier.staffId);
    return ({ method, path }: { method: string; path: string }, body: object) =>
      office.request(method, path, { headers, body, idempotencyKey: randomUUID() });
  }

  const names = Object.keys(steps) as (keyof typeof steps)[];
  const weighted = names.flatMap((name) => Array<keyof typeof steps>(WEIGHTS[name] ?? 2).fill(name));
  const done: Record<string, number> = {};
  return {
    /** How often each step was done, and how often it was refused. */
    done,
    steps: names,
    /** Does one thing, of these; otherwise sooner what was never done. What is refused changes nothing. */
    async play(choice?: readonly (keyof typeof steps)[]): Promise<void> {
      const missing = choice || dice.upTo(2) > 0 ? [] : names.filter((step) => !done[step]);
      const name = dice.pick(missing) ?? dice.pick(choice ?? weighted) ?? 'run jobs';
      await store.query('delete from rate_limits');
      try {
        const result = await steps[name]();
        if (result !== false) done[name] = (done[name] ?? 0) + 1;
      } catch (error) {
        if (!isRefusal(error)) throw error;
        done[`${name}, refused`] = (done[`${name}, refused`] ?? 0) + 1;
      }
    },
    /** What the server does until midnight. */
    async endDay(): Promise<void> {
      await runJobs();
      await runJobs();
      await bookBreakage(context);
    },
  };
}

const WEIGHTS: Record<string, number> = {
  'buy online': 9,
  'sell at the desk': 4,
  change: 4,
  cancel: 4,
  'count a drawer': 4,
  'sell on an invoice': 3,
};

/** An error of the API, thrown or answered; never one of the server. */
function isRefusal(error: unknown): boolean {
  return error instanceof ApiError || (error instanceof Error && /^4\d\d: /.test(error.message));
}
