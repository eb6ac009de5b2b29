import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import { getChargeRules } from '#domain/trip-cards/card-charges.ts';
import { changeForBuyer, quoteForBuyer } from '#server/desk/changes/change-for-buyer.ts';
import { ApiError } from '#server/http/api-error.ts';
import { payOrderByStaff } from '#server/orders/buy/pay-order-by-staff.ts';
import { requireOrder } from '#server/orders/queries.ts';
import { freezeCard, replaceLostCard, unfreezeCard } from '#server/trip-cards/block-card.ts';
import { must } from '#tests/factories/buyer.ts';
import { changesOf, intentOf, type RequestedJourney } from '#tests/factories/changes.ts';
import { buildPassTerms } from '#tests/factories/passes.ts';
import { buildCashier } from '#tests/factories/staff.ts';
import { createTripCard } from '#tests/factories/trip-cards.ts';
import type { CardOffice } from '#tests/server/payment-cards/wallet.ts';
import type { TestReply } from '#tests/setup/server.ts';
import { describeBroken } from './invariants.ts';

/** The provider's test card whose payments are disputed at once. */
export const DISPUTED = 'pm_card_createDispute';
const MINUTE = 60_000;

export type Order = TestReply['body'];
export type Payment = 'card' | 'trip card' | 'part by trip card' | 'pass' | 'cash' | 'terminal';
export type ChangeOutcome = 'pay' | 'pay by trip card' | 'dispute' | 'abandon' | 'pay late';

/** A guest, or a customer with payment cards, a trip card and a pass, who buys one order and acts on it. */
export async function openTraveler(office: CardOffice, { isGuest }: { isGuest: boolean }) {
  const buyer = changesOf(office);
  const wallet = isGuest ? null : await office.openWallet();
  const customerId = wallet?.customer.id;
  await wallet?.add();
  const done = { cancellations: 0, changes: 0 };
  const openCard = (over: Parameters<typeof createTripCard>[2]) =>
    customerId ? createTripCard(office.context, customerId, over) : null;
  const cards = {
    money: await openCard({ balance: 20_000 }),
    pass: await openCard({ unit: 'trips', pass: buildPassTerms(), balance: 8 }),
  };
  let signedInAt = office.clock.now();
  /** A step-up lasts ten minutes. */
  const signIn = async () => {
    if (!wallet) return {};
    const now = office.clock.now();
    if (now.getTime() - signedInAt.getTime() > 5 * MINUTE) {
      await wallet.signInAgain();
      signedInAt = now;
    }
    return { token: wallet.token };
  };

  async function send(path: string, order: Order, body: object): Promise<TestReply> {
    const options = { body, idempotencyKey: randomUUID(), ...(await signIn()) };
    const reply = await office.request('POST', path.replace('{id}', order.id), options);
    // A request that is repeated with its key gets the first answer.
    if (reply.status < 400) {
      const again = await office.request('POST', path.replace('{id}', order.id), options);
      expect(again.body, describeBroken(6)).toEqual(reply.body);
    }
    return reply;
  }

  async function buy(
    options: Parameters<CardOffice['takeOrder']>[0],
    how: { by: Payment; isDisputed: boolean },
  ) {
    const order = await office.takeOrder(options);
    if (customerId) {
      const { store } = office.database;
      await store.query('update orders set customer_id = $1 where id = $2', [customerId, order.id]);
    }
    if (how.by === 'cash' || how.by === 'terminal') {
      const payment = how.by === 'cash' ? { method: how.by } : { method: how.by, reference: 'Receipt 0042' };
      await payOrderByStaff(office.context, { orderId: order.id, payment, cashier: buildCashier() });
      return office.readOrder(order.id);
    }
    const paid = await send(api.startPayment.path, order, await choosePayment(order, how.by));
    // What is left to charge may be less than a card can be charged.
    const started = paid.body.success ? paid : await send(api.startPayment.path, order, { method: 'card' });
    const intent = intentOf(must(started));
    if (intent) await office.confirmWith(intent, how.isDisputed ? DISPUTED : undefined);
    await office.readPayment(order.id, must(started).id);
    return office.readOrder(order.id);
  }

  async function choosePayment(order: Order, by: Payment): Promise<object> {
    if (by === 'trip card' && cards.money) return { method: 'trip_card', trip_card_id: cards.money.id };
    if (by === 'part by trip card' && cards.money) {
      return { method: 'card', trip_card_id: cards.money.id, trip_card_amount: 500 };
    }
    if (by === 'pass' && cards.pass) {
      const path = fillPath(api.listPassOffers.path, { id: order.id });
      const [offer] = must(await office.request('GET', path, await signIn()));
      const method = offer?.amount === order.total ? 'trip_card' : 'card';
      if (offer) return { method, trip_card_id: offer.trip_card_id, trips: offer.trips };
    }
    return { method: 'card' };
  }

  async function quoteCancellation(order: Order, ticketIds: readonly string[]): Promise<TestReply> {
    const path = fillPath(api.quoteCancellation.path, { id: order.id });
    return office.request('POST', path, { body: { ticket_ids: ticketIds }, ...(await signIn()) });
  }

  /** Cancels as quoted; what the rules refuse must leave the order as it was. */
  async function cancel(order: Order, ticketIds: readonly string[], toTripCard: boolean): Promise<void> {
    await office.database.store.query('delete from rate_limits');
    if (ticketIds.length === 0) return;
    const quote = await quoteCancellation(order, ticketIds);
    if (!quote.body.success) return expect(quote.status).toBe(422);
    const { version, refund, fee, paid, trip_cards: cardsToRefund } = quote.body.data;
    expect(refund + fee).toBeLessThanOrEqual(paid);
    const [card] = toTripCard ? cardsToRefund : [];
    const body = {
      ...{ ticket_ids: ticketIds, version, refund },
      ...(card ? { trip_card_id: card.id } : {}),
      ...(isGuest ? { proof: await buyer.mailCode(order) } : {}),
    };
    const canceled = must(await send(api.cancelTickets.path, order, body));
    expect(sumOf(canceled.refunds) - sumOf(order.refunds)).toBe(refund);
    done.cancellations += 1;
  }

  /** Changes as quoted, and pays a difference or not. */
  async function change(
    order: Order,
    journeys: readonly RequestedJourney[],
    { outcome, onHeld }: { outcome: ChangeOutcome; onHeld: () => Promise<void> },
  ): Promise<void> {
    await office.database.store.query('delete from rate_limits');
    const { token } = await signIn();
    const quote = await buyer.quote(order, journeys, token);
    if (!quote.body.success) return expect(quote.status).toBe(422);
    const { price, fee, carried, forfeited, waived, difference } = quote.body.data;
    // What goes back to a payment card is rounded down to what a card can be refunded.
    const due = price + fee + forfeited - carried - waived;
    expect(difference).toBeGreaterThanOrEqual(due);
    expect(difference - due).toBeLessThan(due < 0 ? getChargeRules(order.currency).step : 1);
    const reply = await buyer.change(order, journeys, { ...(token ? { token } : {}) });
    if (!reply.body.success) return expect(reply.body.errors[0].code).toBe('sold_out');
    const made = must(reply);
    if (difference <= 0) {
      done.changes += 1;
      return expect(made.status).toBe('done');
    }
    await onHeld();
    if (outcome === 'abandon') return void must(await buyer.abandon(order, made, token));
    const body =
      outcome === 'pay by trip card' ? await choosePayment(order, 'trip card') : { method: 'card' };
    const started = await buyer.startPayment(order, made, body, token);
    // The trip card may be frozen or hold too little.
    if (!started.body.success) return void must(await buyer.abandon(order, made, token));
    const intent = intentOf(must(started));
    if (intent) {
      await onHeld();
      await office.confirmWith(intent, outcome === 'dispute' ? DISPUTED : undefined);
    }
    if (outcome === 'pay late') office.clock.advance(60 * MINUTE);
    await office.provider.deliverNow();
    const { status } = await buyer.readChange(order, made, (await signIn()).token);
    expect(['done', 'refused']).toContain(status);
    if (status === 'done') done.changes += 1;
  }

  /** Staff move a journey for the buyer, who pays in cash or by a mailed link, or leaves the link unpaid. */
  async function changeByStaff(
    order: Order,
    { direction, to }: Pick<RequestedJourney, 'direction' | 'to'>,
    by: 'cash' | 'link' | 'unpaid link',
  ): Promise<void> {
    const journeys = [{ direction, sailing_ids: to }];
    const payment = by === 'cash' ? { method: by } : { method: 'link' as const, minutes: 24 * 60 };
    const record = await requireOrder(office.context, order.id);
    try {
      const quoted = { record, journeys, isFree: false, language: 'en' };
      const { version, difference } = await quoteForBuyer(office.context, quoted);
      const change = { journeys, version, difference, payment };
      await changeForBuyer(office.context, { record, change, reason: null, cashier: buildCashier() });
    } catch (error) {
      // The rules refuse it, the boat is full, or nothing would change.
      if (error instanceof ApiError) return;
      throw error;
    }
    const { token } = await signIn();
    const path = fillPath(api.getUnpaidChange.path, { id: order.id });
    const { change } = must(await office.request('GET', path, { ...(token ? { token } : {}) }));
    if (change === null) done.changes += 1;
    if (change === null || by === 'unpaid link') return;
    const started = await buyer.startPayment(order, change, { method: 'card' }, token);
    // Its boat may be canceled by now.
    if (!started.body.success) return;
    await office.confirmWith(intentOf(must(started)));
    await office.provider.deliverNow();
    const { status } = await buyer.readChange(order, change, (await signIn()).token);
    if (status === 'done') done.changes += 1;
  }

  /** A cancellation and a change of the same version of the order, confirmed at the same time. */
  async function actOnTwoDevices(
    order: Order,
    ticketIds: readonly string[],
    direction: RequestedJourney,
  ): Promise<void> {
    await office.database.store.query('delete from rate_limits');
    if (ticketIds.length === 0) return;
    const { token } = await signIn();
    const [quote, otherQuote] = [
      await quoteCancellation(order, ticketIds),
      await buyer.quote(order, [direction], token),
    ];
    if (!quote.body.success || !otherQuote.body.success) return;
    const { version, refund } = quote.body.data;
    const proofs = isGuest ? [await buyer.mailCode(order), await buyer.mailCode(order)] : [];
    const body = { ticket_ids: ticketIds, version, refund, ...(isGuest ? { proof: proofs[0] } : {}) };
    const [canceled, changed] = await Promise.all([
      send(api.cancelTickets.path, order, body),
      buyer.change(order, [direction], token ? { token } : { proof: proofs[1] }),
    ]);
    for (const { status } of [canceled, changed]) expect([200, 201, 409, 422]).toContain(status);
    if (canceled.body.success) done.cancellations += 1;
    if (!changed.body.success) return;
    if (changed.body.data.status === 'done') done.changes += 1;
    else await buyer.abandon(order, changed.body.data, token);
  }

  /** Takes another sailing instead of one that does not run as bought. */
  async function rebook(order: Order): Promise<void> {
    await office.database.store.query('delete from rate_limits');
    const { version, journeys } = must(await office.request('GET', `/api/orders/${order.id}/options`));
    const [{ direction, protected: kept, others } = { direction: 'out', protected: null, others: [] }] =
      journeys;
    const journey: { sailing_id: string }[] | undefined = kept?.journey ?? others[0];
    if (!journey) return;
    const body = { direction, version, sailing_ids: journey.map(({ sailing_id: id }) => id) };
    if (must(await send(api.rebookOrder.path, order, body)).version > version) done.changes += 1;
  }

  async function changeCards(act: 'add' | 'choose' | 'remove' | 'expire', pick: number): Promise<void> {
    if (!wallet) return;
    if (act === 'add') {
      // Avoids the rate limit of setups.
      await office.database.store.query('delete from rate_limits');
      await signIn();
      return void (await wallet.add(['pm_card_visa', 'pm_card_mastercard', 'pm_card_amex'][pick % 3]));
    }
    await signIn();
    const all = await wallet.list();
    const card = all[pick % Math.max(1, all.length)];
    if (!card) return;
    if (act === 'choose') return void (await wallet.makePrimary(card.id));
    if (act === 'remove') return void (await wallet.remove(card.id));
    const { methods } = await wallet.atProvider();
    const now = office.clock.now();
    const expiry = { exp_month: now.getUTCMonth() + 1, exp_year: now.getUTCFullYear() };
    for (const { id, card: own } of methods) {
      if (own?.last4 === card.last_four) await office.stripe.paymentMethods.update(id, { card: expiry });
    }
  }

  async function blockTripCard(act: 'freeze' | 'unfreeze' | 'lost'): Promise<void> {
    if (!cards.money || !customerId) return;
    const input = { customerId, cardId: cards.money.id };
    if (act === 'freeze') return void (await freezeCard(office.context, input));
    if (act === 'unfreeze') return void (await unfreezeCard(office.context, input));
    cards.money = { ...cards.money, id: await replaceLostCard(office.context, input) };
  }

  return {
    ...{ buy, cancel, change, changeByStaff, actOnTwoDevices, rebook, changeCards, blockTripCard },
    countDone: () => ({ ...done }),
    async listCards() {
      await signIn();
      return (await wallet?.list()) ?? [];
    },
    /** What the order's page, a cancellation of all tickets and a change would say. */
    async askTerms(orderId: string): Promise<unknown> {
      const order = await office.readOrder(orderId);
      const issued = order.tickets.filter(({ status }: Order) => status === 'issued');
      const direction = { direction: 'out' as const, to: [office.ferry.outward[5] ?? ''], adults: 1 };
      const quotes = [
        await quoteCancellation(
          order,
          issued.map(({ id }: Order) => id),
        ),
        await buyer.quote(order, [direction], (await signIn()).token),
      ];
      return { policy: order.fare_policy, text: order.policy_text, quotes: quotes.map(({ body }) => body) };
    },
  };
}

export function sumOf(items: readonly { amount: number }[]): number {
  return items.reduce((sum, { amount }) => sum + amount, 0);
}
