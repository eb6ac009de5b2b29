import { and, eq, inArray, sql } from 'drizzle-orm';
import { type Database, queryRows } from '../database/database.ts';
import { freedPlaces } from '../database/schema/gate.ts';
import { lineCapacity, tickets } from '../database/schema/sales.ts';
import type { Places } from './places.ts';
import { returnSoldPlaces, takeSoldPlaces } from './ticket-places.ts';

/** Marks those who did not come, and puts their places back on sale. */
export async function freePlaces(tx: Database, sailingIds: readonly string[]): Promise<void> {
  const missing = await tx
    .update(tickets)
    .set({ status: 'no_show' })
    .where(
      and(inArray(tickets.sailingId, [...sailingIds]), inArray(tickets.status, ['issued', 'checked_in'])),
    )
    .returning({ id: tickets.id });
  if (missing.length === 0) return;
  const ids = missing.map(({ id }) => id);
  const shares = await queryRows<TicketPlaces>(
    tx,
    sql`
    select t.id as "ticketId", p.line_id as "lineId", p.sailing_id as "sailingId", p.resource,
      p.amount / (select count(*)::int from tickets o where o.line_id = p.line_id
        and o.status not in ('canceled', 'replaced')
        and not exists (select from freed_places f where f.ticket_id = o.id)) as amount
    from tickets t join line_capacity p on p.line_id = t.line_id
    where t.id in (select jsonb_array_elements_text(${JSON.stringify(ids)}::jsonb))
      and not exists (select from freed_places f where f.ticket_id = t.id)
    order by t.id`,
  );
  const freed = shares.filter(({ amount }) => amount > 0);
  if (freed.length === 0) return;
  await tx
    .insert(freedPlaces)
    .values(freed.map(({ ticketId, resource, amount }) => ({ ticketId, resource, amount })));
  for (const share of freed) await addToLine(tx, share, -share.amount);
  await returnSoldPlaces(tx, freed);
}

/** Passengers who did not come have their places again, unless these were sold: then they stay marked as missing. */
export async function takeBackPlaces(tx: Database, sailingIds: readonly string[]): Promise<void> {
  const missing = await tx
    .select({ id: tickets.id })
    .from(tickets)
    .where(and(inArray(tickets.sailingId, [...sailingIds]), eq(tickets.status, 'no_show')))
    .orderBy(tickets.orderId, tickets.partyIndex);
  for (const { id } of missing) {
    const places = await queryRows<TicketPlaces>(
      tx,
      sql`
      select f.ticket_id as "ticketId", t.line_id as "lineId", t.sailing_id as "sailingId", f.resource, f.amount
      from freed_places f join tickets t on t.id = f.ticket_id
      where f.ticket_id = ${id}`,
    );
    if (places.length > 0 && !(await takeSoldPlaces(tx, places))) continue;
    for (const place of places) await addToLine(tx, place, place.amount);
    await tx.delete(freedPlaces).where(eq(freedPlaces.ticketId, id));
    await tx.update(tickets).set({ status: 'issued' }).where(eq(tickets.id, id));
  }
}

/** What one ticket takes of a resource, from its line. */
type TicketPlaces = Places & { ticketId: string; lineId: string };

async function addToLine(tx: Database, { lineId, resource }: TicketPlaces, amount: number): Promise<void> {
  await tx
    .update(lineCapacity)
    .set({ amount: sql`${lineCapacity.amount} + ${amount}` })
    .where(and(eq(lineCapacity.lineId, lineId), eq(lineCapacity.resource, resource)));
}
