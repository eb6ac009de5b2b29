import type { paymentCardCalls } from '#contract/payment-cards/schemas.ts';
import type { Context } from '../context.ts';
import { readClient } from '../http/client.ts';
import { type Handlers, Reply } from '../http/handle-calls.ts';
import { makeCardPrimary, removeCard } from './change-cards.ts';
import { listCards, readPrimaryCard } from './queries.ts';
import { addCard } from './save-card.ts';
import { startSetup } from './start-setup.ts';

/** A customer's saved payment cards. */
export function createPaymentCardHandlers(context: Context): Handlers<typeof paymentCardCalls> {
  return {
    getPrimaryCard: ({ session }) => readPrimaryCard(context, session.customerId),

    listPaymentCards: async ({ session, list }) => {
      const { cards, meta } = await listCards(context, { customerId: session.customerId, list });
      return new Reply(cards, { meta });
    },

    startCardSetup: ({ session: { customerId } }, c) =>
      startSetup(context, { customerId, client: readClient(c) }),

    addPaymentCard: ({ session: { customerId }, body }, c) =>
      addCard(context, { customerId, device: readClient(c).device, ...body }),

    makeCardPrimary: ({ session: { customerId }, params }) =>
      makeCardPrimary(context, { customerId, cardId: params.id }),
    removePaymentCard: ({ session: { customerId }, params }) =>
      removeCard(context, { customerId, cardId: params.id }),
  };
}
