import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Direction } from '#domain/orders/legs.ts';
import { releasePlacesOfHolds, swapPlaces } from '#server/capacity/places.ts';
import type { Context } from '#server/context.ts';
import { type Database, queryRows } from '#server/database/database.ts';
import { holds } from '#server/database/schema/holds.ts';
import { type RebookingOfferRow, rebookingOffers } from '#server/database/schema/rebooking-offers.ts';
import { forEachChunk } from '../bulk.ts';
import { findSailings, loadCatalogue } from '../queries.ts';
import { type BookedJourney, isForBoats, readBookedJourneys } from './booked-journeys.ts';
import { listPlaces } from './find-journeys.ts';

type EndOfOffers = { status: Exclude<RebookingOfferRow['status'], 'open'>; now: Date };

/** Ends an offer and puts its protected places on sale. The transaction has locked the order; hold and capacity follow. */
export async function endOffer(
  tx: Database,
  { offer, ...end }: EndOfOffers & { offer: RebookingOfferRow },
): Promise<void> {
  await endOffers(tx, { offers: [offer], ...end });
}

/** Like `endOffer`, of several offers. */
export async function endOffers(
  tx: Database,
  { offers, status, now }: EndOfOffers & { offers: readonly RebookingOfferRow[] },
): Promise<void> {
  await forEachChunk(
    offers.map(({ id }) => id),
    async (list) => {
      await tx
        .update(rebookingOffers)
        .set({ status, updatedAt: now })
        .where(sql`${rebookingOffers.id} in ${list}`);
    },
  );
  await releaseProtections(tx, offers);
}

/**
 * Adapts the offers of an order to the tickets that a cancellation has left: a journey without tickets is refunded, and
 * for a smaller party fewer places stay protected. The transaction has locked the order.
 */
export async function adaptOffers(
  tx: Database,
  context: Pick<Context, 'clock'>,
  orderId: string,
): Promise<void> {
  const offers = await tx
    .select()
    .from(rebookingOffers)
    .where(and(eq(rebookingOffers.orderId, orderId), inArray(rebookingOffers.status, ['open', 'moved'])));
  if (offers.length === 0) return;
  const now = context.clock.now();
  const journeys = await readBookedJourneys(tx, [orderId], now);
  for (const offer of offers) {
    const booked = journeys.find((each) => each.direction === offer.direction);
    const isMoved = offer.status === 'moved';
    const isLeft = isMoved || booked?.boats.some(({ sailingId }) => sailingId === offer.sailingIds.at(-1));
    if (booked && isLeft) await protectFewer(tx, context, { offer, booked });
    else await endOffer(tx, { offer, status: 'refunded', now });
  }
}

/**
 * Ends the open offers of journeys that a change has moved to other boats, as the next update of the sailings would. The
 * transaction has locked the order.
 */
export async function withdrawOffers(
  tx: Database,
  { clock }: Pick<Context, 'clock'>,
  { orderId, journeys }: { orderId: string; journeys: readonly Direction[] },
): Promise<void> {
  const isOpen = and(
    eq(rebookingOffers.orderId, orderId),
    eq(rebookingOffers.status, 'open'),
    inArray(rebookingOffers.direction, [...journeys]),
  );
  const offers = await tx.select().from(rebookingOffers).where(isOpen);
  if (offers.length === 0) return;
  const now = clock.now();
  const booked = await readBookedJourneys(tx, [orderId], now);
  const isOver = (offer: RebookingOfferRow) =>
    !booked.some((each) => each.direction === offer.direction && isForBoats(offer, each));
  await endOffers(tx, { offers: offers.filter(isOver), status: 'withdrawn', now });
}

async function protectFewer(
  tx: Database,
  context: Pick<Context, 'clock'>,
  { offer: { holdId, protectedSailingIds }, booked }: { offer: RebookingOfferRow; booked: BookedJourney },
): Promise<void> {
  if (holdId === null) return;
  const [hold] = await tx.select().from(holds).where(eq(holds.id, holdId)).for('no key update');
  if (hold?.status !== 'active') return;
  const catalogue = await loadCatalogue(tx);
  const boats = await findSailings(tx, protectedSailingIds ?? []);
  const places = boats.flatMap((boat) => listPlaces(booked.party, boat, catalogue) ?? []);
  await swapPlaces(tx, context, { holdId, places });
}

/** Puts the protected places of offers on sale, as far as their protection has not ended. */
export async function releaseProtections(
  tx: Database,
  offers: readonly Pick<RebookingOfferRow, 'holdId'>[],
): Promise<void> {
  const holdIds = offers.flatMap(({ holdId }) => holdId ?? []).toSorted();
  await forEachChunk(holdIds, async (list) => {
    const ended = await queryRows<{ id: string }>(
      tx,
      sql`
      with active as materialized (
        select id from holds where id in ${list} and status = 'active' order by id for no key update
      )
      update holds h set status = 'released' from active where h.id = active.id returning h.id`,
    );
    await releasePlacesOfHolds(
      tx,
      ended.map(({ id }) => id),
    );
  });
}
