import { and, eq } from 'drizzle-orm';
import { releasePlaces, swapPlaces } from '#server/capacity/places.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { type SailingOfferRow, sailingOffers } from '#server/database/schema/sailing-offers.ts';
import { holds } from '#server/database/schema/sales.ts';
import { findSailings, loadCatalogue } from '../queries.ts';
import { type BookedWay, readBookedWays } from './affected-ways.ts';
import { listPlaces } from './find-journeys.ts';

/** Ends an offer and puts its protected places on sale. The transaction has locked the order; hold and capacity follow. */
export async function endOffer(
  tx: Database,
  now: Date,
  { offer, status }: { offer: SailingOfferRow; status: Exclude<SailingOfferRow['status'], 'open'> },
): Promise<void> {
  await tx.update(sailingOffers).set({ status, updatedAt: now }).where(eq(sailingOffers.id, offer.id));
  await releaseProtection(tx, offer);
}

/**
 * Adapts the open offers of an order to the tickets that a cancellation has left: a way without tickets is refunded, and
 * for a smaller party fewer places stay protected. The transaction has locked the order.
 */
export async function adaptOffers(
  tx: Database,
  context: Pick<Context, 'clock'>,
  orderId: string,
): Promise<void> {
  const open = await tx
    .select()
    .from(sailingOffers)
    .where(and(eq(sailingOffers.orderId, orderId), eq(sailingOffers.status, 'open')));
  if (open.length === 0) return;
  const ways = await readBookedWays(tx, [orderId]);
  for (const offer of open) {
    const way = ways.find((each) => each.way === offer.way);
    if (way) await protectFewer(tx, context, { offer, way });
    else await endOffer(tx, context.clock.now(), { offer, status: 'refunded' });
  }
}

async function protectFewer(
  tx: Database,
  context: Pick<Context, 'clock'>,
  { offer: { holdId, protectedSailingIds }, way }: { offer: SailingOfferRow; way: BookedWay },
): Promise<void> {
  if (holdId === null) return;
  const [hold] = await tx.select().from(holds).where(eq(holds.id, holdId)).for('no key update');
  if (hold?.status !== 'active') return;
  const catalogue = await loadCatalogue(tx);
  const boats = await findSailings(tx, protectedSailingIds ?? []);
  const places = boats.flatMap((boat) => listPlaces(way.party, boat, catalogue) ?? []);
  await swapPlaces(tx, context, { holdId, places });
}

/** Puts the protected places of an offer on sale. Does nothing if the protection has ended. */
export async function releaseProtection(
  tx: Database,
  { holdId }: Pick<SailingOfferRow, 'holdId'>,
): Promise<void> {
  if (holdId === null) return;
  const [ended] = await tx
    .update(holds)
    .set({ status: 'released' })
    .where(and(eq(holds.id, holdId), eq(holds.status, 'active')))
    .returning({ id: holds.id });
  if (ended) await releasePlaces(tx, holdId);
}
