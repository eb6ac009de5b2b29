import type { cardSaleCalls } from '#contract/desk/card-sales/schemas.ts';
import { recordView } from '#server/audit/record-view.ts';
import type { Context } from '#server/context.ts';
import type { HttpContext, StaffSession } from '#server/http/api.ts';
import { readClient } from '#server/http/client.ts';
import type { Handlers } from '#server/http/handle-calls.ts';
import { describeStaffActor } from '#server/staff/actor.ts';
import { withStaffStepUp } from '#server/staff/step-up.ts';
import { replaceLostCard } from '#server/trip-cards/block-card.ts';
import { planSale, presentPlan } from './plan-sale.ts';
import { findOwnerOfSold, listSales, readSale } from './read-sales.ts';
import { sellCards } from './sell-cards.ts';
import { takeBackSale } from './take-back.ts';

/** Handlers for passes and value that are sold on several trip cards at once. */
export function createCardSaleHandlers(context: Context): Handlers<typeof cardSaleCalls> {
  const view = async (saleId: string, session: StaffSession, c: HttpContext) => {
    const actor = describeStaffActor(session, readClient(c));
    const sale = await readSale(context, { saleId, language: readClient(c).language });
    await recordView(context, {
      actor,
      action: 'card_sale_viewed',
      objectKind: 'card_sale',
      objectId: saleId,
    });
    return sale;
  };
  return {
    listCardSales: ({ query: { q: search = '' } }, c) =>
      listSales(context, { search, language: readClient(c).language }),

    getCardSale: ({ params, session }, c) => view(params.id, session, c),

    previewCardSale: async ({ body }, c) =>
      presentPlan(context, await planSale(context.db, body), readClient(c).language),

    sellCards: withStaffStepUp(context, async ({ body, claim, session }, c) => {
      const client = readClient(c);
      const cashier = describeStaffActor(session, client);
      const id = await sellCards(context, { sale: body, claim, cashier, language: client.language });
      return view(id, session, c);
    }),

    replaceSoldCard: withStaffStepUp(context, async ({ params, session }, c) => {
      const { id: saleId, card_id: cardId } = params;
      const customerId = await findOwnerOfSold(context.db, { saleId, cardId });
      const staff = describeStaffActor(session, readClient(c));
      await replaceLostCard(context, { customerId, cardId, staff });
      return view(saleId, session, c);
    }),

    takeBackCardSale: withStaffStepUp(context, async ({ params, session }, c) => {
      await takeBackSale(context, {
        saleId: params.id,
        actor: describeStaffActor(session, readClient(c)),
      });
      return view(params.id, session, c);
    }),
  };
}
