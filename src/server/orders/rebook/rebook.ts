import type { RebookOrder } from '#contract/orders/rebook/schemas.ts';
import { isOnwardLeg } from '#domain/orders/legs.ts';
import { getLocalDay } from '#domain/time/port-time.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import type { OrderChangeRow } from '#server/database/schema/sales.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError, notFound } from '#server/http/api-error.ts';
import { queueOrderMail } from '#server/mail/order-mails.ts';
import { queuePushes, wakeMessageWorkers } from '#server/push/queue-pushes.ts';
import { reviewSale } from '#server/sailings/exceptions/review-sale.ts';
import { type BookedJourney, listReplacedLegs } from '#server/sailings/offers/booked-journeys.ts';
import { endOffer } from '#server/sailings/offers/end-offers.ts';
import { createJourneyFinder } from '#server/sailings/offers/find-journeys.ts';
import { holdJourney } from '#server/sailings/offers/protect-places.ts';
import { findSailings, type TimetableRecord } from '#server/sailings/queries.ts';
import { isBoardingCodeTaken, lockOrder } from '../confirm-order.ts';
import { TicketsChanged } from '../crossings/cancel-tickets.ts';
import { moveJourney } from '../crossings/move-journey.ts';
import { closeLeftPayment } from '../pay/open-payments.ts';
import { readStoredOrder } from '../queries.ts';
import { type Choice, listOtherJourneys, readChoices, readProtection } from './choices.ts';

type RebookInput = RebookOrder & {
  orderId: string;
  actor: OrderChangeRow['actor'];
  /** Records that staff do it for the buyer, in the transaction that moves the journey. */
  record?: (tx: Database) => Promise<void>;
};

/**
 * Moves a journey of an order to a journey of its options: no fee, no difference, new tickets. Asking for the journey that
 * the order already has changes nothing.
 * @throws {ApiError} not_found, change_not_allowed, version_conflict, sold_out
 */
export async function rebookOrder(context: Context, input: RebookInput): Promise<void> {
  const work = (tx: Database) => rebookInTransaction(tx, context, input);
  try {
    await inTransaction(context.db, work, isBoardingCodeTaken);
  } catch (error) {
    if (error instanceof TicketsChanged) throw new ApiError('change_not_allowed', { reason: 'ticket_used' });
    throw error;
  }
  wakeMessageWorkers(context.jobs);
  await closeLeftPayment(context, input.orderId);
  await reviewSale(context, { orderId: input.orderId, holdId: null });
}

async function rebookInTransaction(tx: Database, context: Context, input: RebookInput): Promise<void> {
  const now = context.clock.now();
  const order = await lockOrder(tx, input.orderId);
  if (!order) throw notFound();
  const { choices, journeys } = await readChoices(tx, { orderId: order.id, now });
  const choice = choices.find(({ offer }) => offer.direction === input.direction);
  if (!choice) throw new ApiError('change_not_allowed', { reason: 'choice_over' });
  if (isSameJourney(choice.booked, input.sailing_ids)) return;
  if (order.version !== input.version) throw new ApiError('version_conflict');
  const { holdId, journey } = await holdChosen(tx, {
    input,
    choice,
    choiceContext: { order, journeys, now },
  });
  const sold = await readStoredOrder(tx, order);
  const [first] = listReplacedLegs(choice.booked, journey);
  const move = {
    direction: input.direction,
    sailings: journey,
    isOnward: first !== undefined && isOnwardLeg(first),
  };
  const moved = await moveJourney(tx, context, { sold, move, holdId, actor: input.actor });
  if (!moved) throw new ApiError('sold_out', { reason: 'no_room_for_party' });
  await endOffer(tx, { offer: choice.offer, status: 'moved', now });
  await queueOrderMail(tx, context, { kind: 'order-rebooked', orderId: order.id });
  await queuePushes(tx, context, { kind: 'order-rebooked', orderIds: [order.id] });
  await input.record?.(tx);
}

function isSameJourney({ boats }: BookedJourney, sailingIds: readonly string[]): boolean {
  return boats.map(({ sailingId }) => sailingId).join() === sailingIds.join();
}

/** The protected places, or places held now on another journey. */
async function holdChosen(
  tx: Database,
  {
    input: { sailing_ids: ids },
    choice,
    choiceContext,
  }: { input: RebookInput; choice: Choice; choiceContext: Parameters<typeof listOtherJourneys>[2] },
): Promise<{ holdId: string; journey: TimetableRecord[] }> {
  const { offer, booked } = choice;
  const { now } = choiceContext;
  const isChosen = (journey: readonly TimetableRecord[]) => journey.map(({ id }) => id).join() === ids.join();
  const protection = await readProtection(tx, { offer, now });
  if (protection && offer.holdId !== null && isChosen(protection.journey)) {
    return { holdId: offer.holdId, journey: protection.journey };
  }
  const finder = await createJourneyFinder(tx, now);
  const [first] = await findSailings(tx, ids.slice(0, 1));
  const day = first && getLocalDay(first.departsAt.getTime(), first.origin.timeZone);
  const journey = day && (await listOtherJourneys(finder, choice, { ...choiceContext, day })).find(isChosen);
  const held = { booked, finder, until: offer.deadline, now };
  const holdId = journey ? await holdJourney(tx, journey, held) : null;
  if (!journey || holdId === null) throw new ApiError('sold_out', { reason: 'no_room_for_party' });
  return { holdId, journey: [...journey] };
}
