import { eq, sql } from 'drizzle-orm';
import { releasePlaces as releaseHeldPlaces, releaseSoldPlaces } from '../capacity/places.ts';
import type { Context } from '../context.ts';
import { type Database, queryRows } from '../database/database.ts';
import { customers } from '../database/schema/people.ts';
import { rebookingOffers } from '../database/schema/rebooking-offers.ts';
import { inTransaction } from '../database/transactions.ts';
import { lockOrder } from '../orders/confirm-order.ts';
import { giveBackPromo } from '../orders/promo.ts';
import { releaseOrder } from '../orders/release-order.ts';
import { isUnpaid } from '../orders/unpaid.ts';
import { deletePersonalData } from '../privacy/delete-customer.ts';
import { eraseOrders } from '../privacy/erase-orders.ts';
import { releaseProtections } from '../sailings/offers/end-offers.ts';
import { revokeDemoDevices } from './demo-devices.ts';
import { findTimetableOwner } from './demo-timetable.ts';
import { GROUP } from './sailing-states.ts';

/** How many rows of each kind were removed, and how many stay. */
export type RemovedDemo = {
  customers: number;
  paymentCards: number;
  orders: number;
  tickets: number;
  tripCards: number;
  entries: number;
  sailings: number;
  staff: number;
  /** Those that refer to data outside the demo, or are referred to by it. */
  remaining: { orders: number; tripCards: number };
  /** `in_use`: other orders or holds are on its sailings. */
  timetable: 'none' | 'removed' | 'in_use' | 'operator';
};

/**
 * Removes the demo's data and everything its customer did, or nothing: the demo's staff, the account, its payment cards (the running
 * server detaches them at the provider later), orders with their tickets, trip cards with their ledger, and the demo
 * timetable. Orders and trip cards that are linked to other customers' data stay, without an owner, so that the ledger
 * remains complete. Safe to repeat.
 */
export async function removeDemo({ db, clock }: Pick<Context, 'db' | 'clock'>): Promise<RemovedDemo> {
  return inTransaction(db, async (tx) => {
    await chooseRows(tx);
    const remaining = await keepReferencedRows(tx);
    await releasePlaces(tx);
    const tickets = await removeOrderRows(tx);
    const { entries, tripCards } = await removeTripCards(tx);
    const orders = await removeOrders(tx);
    // They moved no money, and what they consist of may be gone.
    await remove(tx, 'payouts', sql`not is_live`);
    const people = await removeCustomer(tx, clock.now());
    await revokeDemoDevices(tx, clock.now());
    for (const column of [sql`staff_id`, sql`sent_by`]) {
      await tx.execute(
        sql`update gate_events set ${column} = null where ${column} in (select id from staff_members where is_demo)`,
      );
    }
    const staff = await remove(tx, 'staff_members', sql`is_demo`);
    return {
      ...people,
      staff,
      orders,
      tickets,
      entries,
      tripCards,
      remaining,
      ...(await removeTimetable(tx)),
    };
  });
}

/** The rows to remove, in temporary tables of this transaction. */
async function chooseRows(tx: Database): Promise<void> {
  await tx.execute(sql`
    update trip_cards set is_demo = true
    where not is_demo and customer_id in (select id from customers where is_demo)`);
  await tx.execute(sql`select from trip_cards where is_demo order by id for update`);
  await tx.execute(sql`
    create temporary table demo_cards on commit drop as select id from trip_cards where is_demo`);
  await tx.execute(sql`
    create temporary table demo_orders on commit drop as
    select id, hold_id from orders
    where customer_id in (select id from customers where is_demo) or lower(contact_email) = ${GROUP.email}`);
}

/** A reference in either direction keeps both sides, and everything they refer to. */
async function keepReferencedRows(tx: Database): Promise<RemovedDemo['remaining']> {
  const remaining = { orders: 0, tripCards: 0 };
  for (;;) {
    const keptOrders = await remove(
      tx,
      'demo_orders',
      sql`
        exists (select from trip_card_entries e
          where e.order_id = demo_orders.id and e.trip_card_id not in (select id from demo_cards))
        or exists (select from trip_card_reservations s
          where s.order_id = demo_orders.id and s.trip_card_id not in (select id from demo_cards))`,
    );
    const keptCards = await remove(
      tx,
      'demo_cards',
      sql`
        exists (select from payments p
          where p.trip_card_id = demo_cards.id and p.order_id not in (select id from demo_orders))
        or exists (select from refunds r
          where r.trip_card_id = demo_cards.id and r.order_id not in (select id from demo_orders))
        or exists (select from trip_card_entries e
          where e.trip_card_id = demo_cards.id and e.order_id not in (select id from demo_orders))
        or exists (select from trip_card_reservations s
          where s.trip_card_id = demo_cards.id and s.order_id not in (select id from demo_orders))
        or exists (select from trip_card_transfers t
          where (t.from_card_id = demo_cards.id and t.to_card_id not in (select id from demo_cards))
            or (t.to_card_id = demo_cards.id and t.from_card_id not in (select id from demo_cards)))
        or exists (select from trip_cards r
          where (r.replaces_card_id = demo_cards.id or r.replaced_by_card_id = demo_cards.id)
            and r.id not in (select id from demo_cards))`,
    );
    if (keptOrders + keptCards === 0) return remaining;
    remaining.orders += keptOrders;
    remaining.tripCards += keptCards;
  }
}

/** Releases the places that the orders hold, have bought or are offered. */
async function releasePlaces(tx: Database): Promise<void> {
  const offers = await tx.select().from(rebookingOffers).where(sql`order_id in (select id from demo_orders)`);
  await releaseProtections(tx, offers);
  for (const { id } of await queryRows<{ id: string }>(tx, sql`select id from demo_orders order by id`)) {
    const order = await lockOrder(tx, id);
    if (!order || order.status === 'canceled' || order.status === 'expired') continue;
    if (isUnpaid(order)) {
      await releaseOrder(tx, order);
      continue;
    }
    await releaseSoldPlaces(tx, id);
    await releaseChange(tx, id);
    await giveBackPromo(tx, order.promoCode);
  }
}

/** Releases what an unfinished change of an order holds. */
async function releaseChange(tx: Database, orderId: string): Promise<void> {
  const held = await queryRows<{ id: string }>(
    tx,
    sql`
    update holds set status = 'released'
    where status = 'active' and id in (select hold_id from order_changes where order_id = ${orderId})
    returning id`,
  );
  for (const { id } of held) await releaseHeldPlaces(tx, id);
}

/** @returns the number of tickets removed */
async function removeOrderRows(tx: Database): Promise<number> {
  const ofOrders = sql`order_id in (select id from demo_orders)`;
  const tickets = await remove(tx, 'tickets', ofOrders);
  await remove(tx, 'line_capacity', sql`line_id in (select id from order_lines where ${ofOrders})`);
  for (const table of [
    'rebooking_offers',
    'ticket_shares',
    'order_lines',
    'trip_card_reservations',
    'refunds',
    'cancellations',
    'payments',
    'order_changes',
    'mails',
  ]) {
    await remove(tx, table, ofOrders);
  }
  return tickets;
}

/** The triggers allow only the ledger of demo cards to be deleted. */
async function removeTripCards(tx: Database): Promise<Pick<RemovedDemo, 'entries' | 'tripCards'>> {
  const ids = sql`(select id from demo_cards)`;
  const ofCards = sql`trip_card_id in ${ids}`;
  const entries = await remove(tx, 'trip_card_entries', ofCards);
  await remove(
    tx,
    'trip_card_debts',
    sql`${ofCards} or top_up_id in (select id from top_ups where ${ofCards})
      or (device_id, device_seq) in (select device_id, device_seq from gate_charges where ${ofCards})`,
  );
  await remove(tx, 'trip_card_transfers', sql`from_card_id in ${ids}`);
  for (const table of TRIP_CARD_TABLES) await remove(tx, table, ofCards);
  await tx.execute(sql`
    update trip_cards set replaces_card_id = null, replaced_by_card_id = null where id in ${ids}`);
  return { entries, tripCards: await remove(tx, 'trip_cards', sql`id in ${ids}`) };
}

const TRIP_CARD_TABLES = [
  'gate_charges',
  'top_ups',
  'auto_top_ups',
  'trip_card_shares',
  'trip_card_blocks',
  'trip_card_reservations',
];

async function removeOrders(tx: Database): Promise<number> {
  const removed = await remove(tx, 'orders', sql`id in (select id from demo_orders)`);
  await remove(tx, 'holds', sql`id in (select hold_id from demo_orders)`);
  return removed;
}

/** Removes the customer and their payment cards. Orders that stay lose their owner and contact data. */
async function removeCustomer(
  tx: Database,
  now: Date,
): Promise<Pick<RemovedDemo, 'customers' | 'paymentCards'>> {
  const demo = sql`(select id from customers where is_demo)`;
  const left = await queryRows<{ id: string }>(
    tx,
    sql`select id from orders where customer_id in ${demo} or lower(contact_email) = ${GROUP.email}`,
  );
  await eraseOrders(
    tx,
    left.map(({ id }) => id),
  );
  await tx.execute(sql`
    insert into dropped_methods (provider_reference, inserted_at)
    select provider_reference, ${now.toISOString()}::timestamptz from payment_cards where customer_id in ${demo}
    on conflict do nothing`);
  const paymentCards = await remove(tx, 'payment_cards', sql`customer_id in ${demo}`);
  const people = await tx.select().from(customers).where(eq(customers.isDemo, true)).for('update');
  for (const person of people) {
    await remove(tx, 'mails', sql`order_id is null and lower(to_address) = lower(${person.email})`);
    await deletePersonalData(tx, person);
  }
  return { customers: people.length, paymentCards };
}

async function removeTimetable(tx: Database): Promise<Pick<RemovedDemo, 'sailings' | 'timetable'>> {
  const owner = await findTimetableOwner(tx);
  if (owner !== 'demo') return { sailings: 0, timetable: owner };
  await remove(
    tx,
    'holds',
    sql`status <> 'active' and id not in (
      select hold_id from orders union all select hold_id from order_changes
      union all select hold_id from rebooking_offers where hold_id is not null)`,
  );
  const [use] = await queryRows<{ inUse: boolean }>(
    tx,
    sql`select exists (select from order_lines) or exists (select from hold_items) as "inUse"`,
  );
  if (use?.inUse) return { sailings: 0, timetable: 'in_use' };
  const sailings = await remove(tx, 'sailings');
  await remove(tx, 'sailing_exceptions');
  await remove(tx, 'voyages');
  for (const table of TIMETABLE) await remove(tx, table);
  return { sailings, timetable: 'removed' };
}

/** The tables that a feed fills besides sailings, each after the tables that refer to it. */
const TIMETABLE = [
  'fares',
  'tax_rules',
  'promo_codes',
  'pass_products',
  'routes',
  'ports',
  'vessels',
  'pictures',
  'vehicle_types',
  'passenger_types',
  'fare_classes',
  'feed_archives',
  'feed_changes',
  'feed',
];

/** @returns the number of rows removed */
async function remove(tx: Database, table: string, condition = sql`true`): Promise<number> {
  const [removed] = await queryRows<{ count: number }>(
    tx,
    sql`
      with removed as (delete from ${sql.identifier(table)} where ${condition} returning 1)
      select count(*)::int as count from removed`,
  );
  return removed?.count ?? 0;
}
