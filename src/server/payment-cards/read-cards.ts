import type { PageMeta } from '#contract/common.ts';
import type { PaymentCard } from '#contract/payment-cards/schemas.ts';
import type { Context } from '../context.ts';
import { notFound } from '../http/api-error.ts';
import type { ListQuery } from '../http/list-query.ts';
import { operatorDay } from '../sailings/operator.ts';
import { presentCard } from './presenter.ts';
import { findCard, findCardPage, findPrimaryCard, type OwnCard } from './queries.ts';

type ReadContext = Pick<Context, 'db' | 'clock'>;

/** @throws {ApiError} not_found, also for a deleted card and another customer's */
export async function readOwnCard(
  context: ReadContext,
  { customerId, cardId }: OwnCard,
): Promise<PaymentCard> {
  const today = await operatorDay(context);
  const card = await findCard(context.db, { customerId, cardId });
  if (!card) throw notFound();
  const primary = await findPrimaryCard(context.db, customerId, today);
  return presentCard(card, { today, primaryId: primary?.id ?? null });
}

/** null if the customer has no unexpired card. */
export async function readPrimaryCard(context: ReadContext, customerId: string): Promise<PaymentCard | null> {
  const today = await operatorDay(context);
  const primary = await findPrimaryCard(context.db, customerId, today);
  return primary ? presentCard(primary, { today, primaryId: primary.id }) : null;
}

export async function listCards(
  context: ReadContext,
  { customerId, list }: { customerId: string; list: ListQuery },
): Promise<{ cards: PaymentCard[]; meta: PageMeta }> {
  const today = await operatorDay(context);
  const primaryId = (await findPrimaryCard(context.db, customerId, today))?.id ?? null;
  const { cards, meta } = await findCardPage(context.db, { customerId, list, primaryId });
  return { cards: cards.map((card) => presentCard(card, { today, primaryId })), meta };
}
