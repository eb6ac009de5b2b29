import type { Context } from 'hono';
import type { paymentCardCalls } from '#contract/payment-cards/schemas.ts';
import type { Deps } from '../deps.ts';
import type { ApiEnv, SignedIn } from '../http/api.ts';
import { deviceOf } from '../http/device-name.ts';
import { type Handlers, Reply } from '../http/handle-calls.ts';
import { addCard } from './add-card.ts';
import { makeCardPrimary, removeCard } from './change-cards.ts';
import { listCards, readPrimaryCard } from './read-cards.ts';
import { startSetup } from './start-setup.ts';

/** A customer's saved payment cards. */
export function createPaymentCardHandlers(deps: Deps): Handlers<typeof paymentCardCalls> {
  return {
    getPrimaryCard: ({ session }) => readPrimaryCard(deps, session.customerId),

    listPaymentCards: async ({ session, list }) => {
      const { cards, meta } = await listCards(deps, session.customerId, list);
      return new Reply(cards, { meta });
    },

    startCardSetup: ({ session }, c) => startSetup(deps, askerOf(session, c)),
    addPaymentCard: ({ session, body }, c) => addCard(deps, askerOf(session, c), body),
    makeCardPrimary: ({ session, params }) => makeCardPrimary(deps, session.customerId, params.id),
    removePaymentCard: ({ session, params }) => removeCard(deps, session.customerId, params.id),
  };
}

function askerOf({ customerId }: SignedIn, c: Context<ApiEnv>) {
  return { customerId, device: deviceOf(c), from: c.var.remoteAddress };
}
