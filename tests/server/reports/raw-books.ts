import { eq } from 'drizzle-orm';
import type { BreakageRule } from '#contract/settings/schemas.ts';
import { getSaleValues } from '#domain/accounting/sale-values.ts';
import { getTaxParts, splitTax, type TaxPart } from '#domain/fares/taxes.ts';
import type { Database } from '#server/database/database.ts';
import { cashDrawers, payoutItems, payouts, saleEntries } from '#server/database/schema/accounting.ts';
import { gateEvents } from '#server/database/schema/gate.ts';
import { invoices } from '#server/database/schema/invoices.ts';
import { orderLines, orders, payments, refunds, tickets } from '#server/database/schema/sales.ts';
import { staffMembers } from '#server/database/schema/staff.ts';
import {
  passengerTypes,
  routes,
  sailings,
  vehicleTypes,
  vessels,
  voyages,
} from '#server/database/schema/timetable.ts';
import {
  cardSales,
  topUps,
  tripCardDebts,
  tripCardEntries,
  tripCards,
} from '#server/database/schema/trip-cards.ts';

/** Amounts in minor units and counts, by name. What is zero has no entry. */
export type Figures = Map<string, number>;

export function addTo(figures: Figures, name: string, amount: number): void {
  const sum = (figures.get(name) ?? 0) + amount;
  if (sum === 0) figures.delete(name);
  else figures.set(name, sum);
}

type Raw = Awaited<ReturnType<typeof readTables>>;

async function readTables(db: Database) {
  return {
    orders: await db.select().from(orders),
    lines: await db
      .select({ line: orderLines, route: routes.code, travelDay: sailings.serviceDate })
      .from(orderLines)
      .innerJoin(sailings, eq(sailings.id, orderLines.sailingId))
      .innerJoin(routes, eq(routes.id, sailings.routeId))
      .orderBy(orderLines.orderId, orderLines.position),
    payments: (await db.select().from(payments)).filter(({ status }) => status === 'succeeded'),
    allRefunds: await db.select().from(refunds),
    topUps: (await db.select().from(topUps)).filter(({ completedAt }) => completedAt !== null),
    cardSales: await db.select().from(cardSales),
    cards: await db.select().from(tripCards),
    entries: await db.select().from(tripCardEntries),
    debts: await db.select().from(tripCardDebts),
    invoices: await db.select().from(invoices),
    payouts: await db.select().from(payouts),
    items: await db.select().from(payoutItems),
    drawers: await db.select().from(cashDrawers),
    staff: new Map((await db.select().from(staffMembers)).map(({ id, name }) => [id, name])),
    products: new Map<string, string>([
      ...(await db.select().from(passengerTypes)).map(
        ({ code, name }) => [`passenger ${code}`, name] as const,
      ),
      ...(await db.select().from(vehicleTypes)).map(({ code, name }) => [`vehicle ${code}`, name] as const),
    ]),
  };
}

/**
 * Computes what the reports have to say from the tables of orders, payments, cards and payouts. Neither the entries of the
 * books nor the queries of the reports are read.
 * @param breakage the rule of the settings, with a fifth of the trips of passes expected not to be used
 */
export function openRawBooks(db: Database, breakage: BreakageRule) {
  const goodwill: TaxPart[] = [];
  const noted = new Set<string>();
  return {
    /**
     * Notes how new refunds of amounts are taxed: like the dearest line of the order, which a later change may replace. To be
     * called after each step.
     */
    async noteGoodwill(): Promise<void> {
      const given = (await db.select().from(refunds).where(eq(refunds.reason, 'goodwill'))).filter(
        ({ id, retryOfId }) => retryOfId === null && !noted.has(id),
      );
      for (const [orderId, parts] of Map.groupBy(given, (refund) => refund.orderId)) {
        const lines = await db
          .select()
          .from(orderLines)
          .where(eq(orderLines.orderId, orderId))
          .orderBy(orderLines.position);
        const [dearest] = lines.toSorted((a, b) => b.amount - a.amount);
        // One amount may go back to several payments.
        const amount = parts.reduce((sum, each) => sum + each.amount, 0);
        goodwill.push(...(dearest ? splitTax(-amount, getTaxParts(dearest)) : []));
        for (const { id } of parts) noted.add(id);
      }
    },
    /** Of all days until one, from the tables as they are at the end of that day. */
    async computeFigures(until: string): Promise<Figures> {
      const raw = await readTables(db);
      const figures: Figures = new Map();
      const ledger = (account: string, amount: number) => addTo(figures, `ledger ${account}`, amount);
      const sold = addSales(raw, { figures, ledger, until });
      addGoodwill({ figures, ledger, goodwill });
      const paid = addMoney(raw, { figures, ledger });
      addOpenItems(raw, { figures, ledger, sold, paid });
      addStoredValue(raw, { figures, ledger, until, breakage });
      addInvoices(raw, { figures, ledger, until });
      addCardMoney(raw, { figures, ledger });
      addDrawers(raw, figures);
      return figures;
    },
  };
}

type Target = { figures: Figures; ledger: (account: string, amount: number) => void };

/** @returns what each order is worth */
function addSales(
  { orders: all, lines, allRefunds, products, entries, cards }: Raw,
  target: Target & { until: string },
) {
  const { figures, ledger, until } = target;
  const sold = new Map<string, number>();
  for (const order of all.filter(({ confirmedAt }) => confirmedAt !== null)) {
    const own = lines.filter(({ line }) => line.orderId === order.id);
    const goodwill = allRefunds
      .filter((each) => each.orderId === order.id && each.reason === 'goodwill' && each.retryOfId === null)
      .reduce((sum, { amount }) => sum + amount, 0);
    const worth = own.reduce((sum, { line }) => sum + line.amount - line.refund, 0) - goodwill;
    addTo(sold, order.id, worth);
    addTo(figures, 'sales gross', worth);
    for (const { line, quantity, parts } of getSaleValues(own.map((each) => each.line))) {
      const { route = '', travelDay = '' } = own.find((each) => each.line.id === line.id) ?? {};
      const name = `${route} ${line.kind} ${products.get(`${line.kind} ${line.typeCode}`) ?? ''}`;
      addTo(figures, `sales ${name} tickets`, quantity);
      for (const { taxBp, name: taxName, gross, tax } of parts) {
        addTo(figures, `sales ${name} ${taxBp} ${taxName} gross`, gross);
        addTo(figures, `sales ${name} ${taxBp} ${taxName} tax`, tax);
        addTo(figures, 'deferred all', gross);
        ledger('tax', -tax);
        ledger(travelDay > until ? 'advance_payments' : 'revenue', tax - gross);
        if (travelDay > until) addTo(figures, 'deferred closing', gross);
      }
    }
  }
  const units = new Map(cards.map(({ id, unit }) => [id, unit]));
  for (const { tripCardId, orderId, kind, place, amount } of entries) {
    if (units.get(tripCardId) !== 'money' || orderId !== null) continue;
    if (kind !== 'fare' && kind !== 'refund_in') continue;
    addTo(figures, `sales gate_fare ${place ?? ''} gross`, -amount);
    ledger('revenue', amount);
  }
  return sold;
}

function addGoodwill({ figures, ledger, goodwill }: Target & { goodwill: readonly TaxPart[] }): void {
  for (const { taxBp, gross, tax } of goodwill) {
    addTo(figures, 'goodwill gross', gross);
    addTo(figures, `goodwill ${taxBp} tax`, tax);
    ledger('tax', -tax);
    ledger('revenue', tax - gross);
  }
}

/** @returns what came for each order */
function addMoney(
  { payments: all, allRefunds, topUps: bought, cardSales: sales, staff }: Raw,
  { figures, ledger }: Target,
) {
  const paid = new Map<string, number>();
  const book = (source: string, method: string, amount: number, isRefund: boolean) => {
    addTo(
      figures,
      `money ${source} ${method} ${isRefund ? 'refunds' : 'payments'}`,
      isRefund ? -amount : amount,
    );
    addTo(figures, `money ${source} ${method} net`, amount);
    if (method !== 'trip_card' && method !== 'pass')
      ledger(method === 'invoice' ? 'invoiced' : method, amount);
  };
  const cashUp = (method: string, staffId: string | null, amount: number) => {
    if (method !== 'cash' && method !== 'terminal') return;
    addTo(
      figures,
      `cash_up ${staff.get(staffId ?? '') ?? ''} ${method} ${amount > 0 ? 'taken' : 'paid_out'}`,
      Math.abs(amount),
    );
  };
  const methods = new Map(all.map(({ id, method }) => [id, method]));
  for (const { orderId, method, coverage, amount, staffId } of all) {
    addTo(paid, orderId, amount);
    book('order', coverage === null ? method : 'pass', amount, false);
    cashUp(method, staffId, amount);
  }
  for (const refund of allRefunds.filter(({ status }) => status === 'succeeded')) {
    const method = getRefundMethod(refund, methods.get(refund.paymentId) ?? 'card');
    addTo(paid, refund.orderId, -refund.amount);
    book('order', method, -refund.amount, true);
    cashUp(method, refund.staffId, -refund.amount);
  }
  for (const { amount, status, saleId, takenBackAt } of bought) {
    const { method = 'card', staffId = null } = sales.find(({ id }) => id === saleId) ?? {};
    // Only what was sold on an invoice can be taken back.
    if (takenBackAt === null) book('top_up', method, amount, false);
    cashUp(method, staffId, amount);
    if (status === 'disputed') book('top_up', 'dispute', -amount, false);
  }
  return paid;
}

function getRefundMethod(refund: typeof refunds.$inferSelect, paidBy: string): string {
  if (refund.invoiceId !== null) return 'invoice';
  if (refund.tripCardId !== null) return refund.trips === null ? 'trip_card' : 'pass';
  if (refund.bankReference !== null) return 'bank';
  if (refund.terminalReference !== null) return 'terminal';
  if (refund.staffId !== null) return 'cash';
  if (refund.reason === 'dispute') return 'dispute';
  return paidBy === 'card' ? 'card' : 'cash';
}

function addOpenItems(
  { orders: all }: Raw,
  { figures, ledger, sold, paid }: Target & Record<'sold' | 'paid', Map<string, number>>,
): void {
  for (const { id, reference } of all) {
    const open = (sold.get(id) ?? 0) - (paid.get(id) ?? 0);
    addTo(figures, `open_items ${reference}`, open);
    ledger('receivables', open);
  }
}

/** Of passes, trips. What is left of one that has ended, and of what was paid for it, was booked as breakage. */
function addStoredValue(
  raw: Raw,
  { figures, ledger, until, breakage: rule }: Target & { until: string; breakage: BreakageRule },
): void {
  const { cards, entries } = raw;
  const columns = {
    top_up: 'top_ups',
    fare: 'spent',
    refund_in: 'returned',
    adjustment: 'corrected',
  } as const;
  for (const { id, pass, unit, balance, expiresAt } of cards) {
    const name = `stored_value ${pass?.code ?? ''} ${unit}`;
    for (const { kind, amount, orderId, topUpId, cause } of entries.filter(
      (each) => each.tripCardId === id,
    )) {
      const column = kind === 'transfer_in' || kind === 'transfer_out' ? 'transferred' : columns[kind];
      addTo(figures, `${name} ${column}`, kind === 'fare' ? -amount : amount);
      if (unit !== 'money' || kind !== 'adjustment' || topUpId !== null) continue;
      // A dispute takes back what was refunded to the card.
      const isDisputed = orderId !== null || cause?.code === 'disputed_debt';
      ledger(isDisputed ? 'dispute' : 'corrections', amount);
      if (!isDisputed) continue;
      for (const column of ['payments', 'net']) addTo(figures, `money top_up dispute ${column}`, amount);
    }
    const isRevenue = hasEnded(expiresAt, until) && rule !== 'never';
    addTo(figures, `${name} ${isRevenue ? 'breakage' : 'closing'}`, balance);
    if (unit === 'money') ledger('stored_value', -balance);
  }
  for (const { ids, expiresAt } of listPasses(cards)) {
    const { value, corrected, price } = playPass(raw, ids);
    const expected = rule === 'proportional' ? getExpectedBreakage({ price, ...playTrips(entries, ids) }) : 0;
    const breakage = hasEnded(expiresAt, until) && rule !== 'never' ? value : expected;
    ledger('corrections', corrected);
    ledger('breakage', -breakage);
    ledger('stored_value', breakage - value);
  }
  // A disputed top-up that was spent is owed by the card's owner.
  for (const { topUpId, amount, settled } of raw.debts) {
    if (topUpId !== null) ledger('stored_value', amount - settled);
  }
}

function hasEnded(expiresAt: Date | null, until: string): boolean {
  return expiresAt !== null && expiresAt.toISOString().slice(0, 10) <= until;
}

/** The cards of each pass, and when the last one ends. */
function listPasses(cards: Raw['cards']): { ids: Set<string | null>; expiresAt: Date | null }[] {
  const firsts = cards.filter(({ unit, replacesCardId }) => unit === 'trips' && replacesCardId === null);
  return firsts.map((first) => {
    const all = [first];
    for (const each of all) all.push(...cards.filter(({ replacesCardId }) => replacesCardId === each.id));
    return { ids: new Set<string | null>(all.map(({ id }) => id)), expiresAt: all.at(-1)?.expiresAt ?? null };
  });
}

/** The trips bought with a pass, and those used; a purchase does not pay for more trips than were bought before it. */
function playTrips(
  entries: Raw['entries'],
  ids: ReadonlySet<string | null>,
): { trips: number; used: number } {
  const cards = [...ids];
  const ofPass = entries
    .filter(({ tripCardId }) => ids.has(tripCardId))
    .toSorted((a, b) => cards.indexOf(a.tripCardId) - cards.indexOf(b.tripCardId) || a.seq - b.seq);
  let [trips, used] = [0, 0];
  for (const { kind, amount, topUpId } of ofPass) {
    if (kind === 'top_up') [trips, used] = [trips + amount, Math.min(used, trips)];
    // A dispute, or a sale that is taken back.
    if (kind === 'adjustment' && topUpId !== null) trips += amount;
    if (kind === 'fare' || kind === 'refund_in') used -= amount;
  }
  return { trips, used };
}

/**
 * What a pass is worth, one purchase, use and return after the other: what trips pay beyond it is a correction, which returned
 * trips take back first.
 */
function playPass({ topUps: bought, payments: paid, allRefunds }: Raw, ids: ReadonlySet<string | null>) {
  const purchases = bought.filter(
    ({ tripCardId, status, takenBackAt }) =>
      ids.has(tripCardId) && status === 'succeeded' && takenBackAt === null,
  );
  const uses = paid.filter(({ tripCardId }) => ids.has(tripCardId));
  const returns = allRefunds.filter(
    ({ tripCardId, status }) => ids.has(tripCardId) && status === 'succeeded',
  );
  const events = [
    ...purchases.map(({ completedAt, amount }) => ({
      at: completedAt ?? new Date(0),
      kind: 'purchase',
      amount,
    })),
    ...uses.map(({ updatedAt: at, amount }) => ({ at, kind: 'use', amount })),
    ...returns.map(({ updatedAt: at, amount }) => ({ at, kind: 'return', amount })),
  ];
  let value = 0;
  let corrected = 0;
  for (const { kind, amount } of events.toSorted((a, b) => a.at.getTime() - b.at.getTime())) {
    const correction =
      kind === 'use' ? Math.max(0, amount - value) : kind === 'return' ? -Math.min(amount, corrected) : 0;
    corrected += correction;
    value += (kind === 'use' ? -amount : amount) + correction;
  }
  return { value, corrected, price: sumAmounts(purchases) };
}

function sumAmounts(rows: readonly { amount: number }[]): number {
  return rows.reduce((total, { amount }) => total + amount, 0);
}

/** A fifth of the price, in proportion to the other trips. The numbers of the test divide without a rest. */
function getExpectedBreakage({ price, trips, used }: Record<'price' | 'trips' | 'used', number>): number {
  const expectedUses = trips * 0.8;
  return trips === 0 ? 0 : ((price / 5) * Math.min(Math.max(used, 0), expectedUses)) / expectedUses;
}

function addInvoices({ invoices: all }: Raw, { figures, ledger, until }: Target & { until: string }): void {
  for (const { amount, credited, paid, dueOn } of all) {
    const owed = amount - credited - paid;
    addTo(figures, 'invoices invoiced', amount);
    addTo(figures, 'invoices credited', credited);
    addTo(figures, 'invoices received', paid);
    addTo(figures, 'invoices closing', owed);
    addTo(figures, `invoices ${dueOn >= until ? 'not_due' : 'overdue_30'}`, owed);
    ledger('bank', paid);
    ledger('invoiced', -paid);
  }
}

/** A payout counts from the day of its arrival. The tables are read on that day or later. */
function addCardMoney(
  { payouts: all, items, payments: paid, topUps: bought }: Raw,
  { figures, ledger }: Target,
): void {
  const ours = new Set([...paid, ...bought].map(({ providerReference }) => providerReference));
  for (const { id, amount, status, bookedOn } of all) {
    if (bookedOn === null) continue;
    const own = items.filter(({ payoutId }) => payoutId === id);
    const fees = own.reduce((sum, item) => sum + item.fee + (item.kind === 'fee' ? -item.amount : 0), 0);
    const arrived = status === 'failed' ? 0 : amount;
    addTo(figures, 'card_money paid_out', arrived);
    addTo(figures, 'card_money fees', fees);
    addTo(figures, 'card_money closing', -arrived - fees);
    addTo(figures, 'payouts net', arrived);
    ledger('bank', arrived);
    ledger('provider_fees', fees);
    ledger('card', -arrived - fees);
    for (const item of own.filter(
      ({ kind }) => kind === 'charge' || kind === 'refund' || kind === 'dispute',
    )) {
      addTo(figures, `payouts ${item.kind}s`, item.kind === 'charge' ? item.amount : -item.amount);
      if (item.kind !== 'dispute' || !ours.has(item.intentReference)) continue;
      ledger('dispute', -item.amount);
      ledger('card', item.amount);
    }
  }
  for (const source of ['order', 'top_up']) {
    for (const method of ['card', 'dispute']) {
      addTo(figures, 'card_money closing', figures.get(`money ${source} ${method} net`) ?? 0);
    }
  }
}

/** What a person took and paid out in cash while their drawer was open. */
function addDrawers({ drawers, payments: paid, cardSales: sales, allRefunds }: Raw, figures: Figures): void {
  for (const { staffId, openedAt, closedAt, opening, counted } of drawers) {
    if (closedAt === null || counted === null) continue;
    const isIn = (at: Date, by: string | null) => by === staffId && at >= openedAt && at < closedAt;
    const taken = sumAmounts([
      ...paid.filter(({ method, updatedAt, staffId: by }) => method === 'cash' && isIn(updatedAt, by)),
      ...sales
        .filter(({ method, insertedAt, staffId: by }) => method === 'cash' && isIn(insertedAt, by))
        .map(({ cards, amount }) => ({ amount: cards * amount })),
    ]);
    const out = allRefunds
      .filter(
        (each) =>
          each.status === 'succeeded' && each.terminalReference === null && each.bankReference === null,
      )
      .filter(({ updatedAt, staffId: by }) => isIn(updatedAt, by))
      .reduce((sum, { amount }) => sum + amount, 0);
    addTo(figures, 'drawers expected', opening + taken - out);
    addTo(figures, 'drawers counted', counted);
    addTo(figures, 'drawers difference', counted - opening - taken + out);
  }
}

/** What the sailings of some days carry that have tickets or have run by now, from their tickets and from what gates report. */
export async function computeLoads(
  db: Database,
  { from, until, now }: { from: string; until: string; now: Date },
): Promise<Figures> {
  const figures: Figures = new Map();
  const all = await db
    .select({ sailing: sailings, route: routes.code, vessel: vessels.name })
    .from(sailings)
    .innerJoin(routes, eq(routes.id, sailings.routeId))
    .innerJoin(voyages, eq(voyages.id, sailings.voyageId))
    .innerJoin(vessels, eq(vessels.id, voyages.vesselId));
  const sold = (await db.select().from(tickets)).filter(
    ({ status, kind }) => status !== 'canceled' && status !== 'replaced' && kind !== 'bicycle',
  );
  const worth: Figures = new Map();
  for (const { sailingId, gross } of await db.select().from(saleEntries))
    addTo(worth, sailingId ?? '', gross);
  const events = await db.select().from(gateEvents);
  const nameBoat = ({ voyageId, firstStop }: typeof sailings.$inferSelect) => `${voyageId} ${firstStop}`;
  const listBoats = (isOne: (sailing: typeof sailings.$inferSelect) => boolean) =>
    new Set(all.filter(({ sailing }) => isOne(sailing)).map(({ sailing }) => nameBoat(sailing)));
  const hasEvent = (id: string, kind: string) =>
    events.some(({ sailingId, type }) => sailingId === id && type === kind);
  const scanned = listBoats(
    ({ id }) =>
      hasEvent(id, 'board') || sold.some(({ sailingId, status }) => sailingId === id && status === 'boarded'),
  );
  const printed = listBoats(({ id }) => hasEvent(id, 'print'));
  // A departure alone, which closes check-in too, does not tell.
  const closed = listBoats(
    ({ checkInClosedAt: at, departedAt }) => at !== null && (departedAt === null || at < departedAt),
  );
  const isAtGate = (name: string) => scanned.has(name) || (closed.has(name) && !printed.has(name));
  for (const { sailing, route, vessel } of all) {
    const { id, serviceDate: day, status, withdrawn, departsAt, departedAt, delayMinutes } = sailing;
    if (day < from || day > until) continue;
    const name = `loads ${day} ${route} ${vessel}`;
    const own = sold.filter(({ sailingId }) => sailingId === id);
    const hasLeft = departedAt !== null || departsAt.getTime() + delayMinutes * 60_000 <= now.getTime();
    const hasRun = hasLeft && status !== 'canceled' && !withdrawn;
    if (hasRun || own.length > 0 || (worth.get(id) ?? 0) !== 0) addTo(figures, `${name} rows`, 1);
    for (const ticket of own) {
      const isPerson = ticket.kind === 'passenger';
      addTo(figures, `${name} ${isPerson ? 'people' : 'vehicles'}`, 1);
      if (ticket.status === 'boarded')
        addTo(figures, `${name} ${isPerson ? 'boarded' : 'vehicles_boarded'}`, 1);
      const isAbsent = hasLeft
        ? isAtGate(nameBoat(sailing)) && ticket.status !== 'boarded'
        : ticket.status === 'no_show';
      if (isPerson && isAbsent) addTo(figures, `${name} no_shows`, 1);
    }
  }
  return figures;
}

/** What two computations of the same do not agree on. */
export function findDifferences(
  expected: Figures,
  found: Figures,
): Record<string, { expected: number; found: number }> {
  const names = new Set([...expected.keys(), ...found.keys()]);
  const pairs = [...names].map(
    (name) => [name, { expected: expected.get(name) ?? 0, found: found.get(name) ?? 0 }] as const,
  );
  return Object.fromEntries(pairs.filter(([, pair]) => pair.expected !== pair.found));
}
