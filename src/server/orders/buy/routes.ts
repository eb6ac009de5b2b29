import type { checkoutCalls } from '#contract/orders/buy/schemas.ts';
import type { Context } from '#server/context.ts';
import { readClient } from '#server/http/client.ts';
import type { Handlers } from '#server/http/handle-calls.ts';
import { rateLimit } from '#server/http/rate-limit.ts';
import { releaseHold } from './expire-holds.ts';
import { extendHold, readHold, requireHold, swapHold, takeHold } from './holds.ts';
import { createQuote } from './quotes.ts';

/** Enough for an office behind one address, too few for a script that takes all places. */
const HOLDS_PER_NETWORK = { name: 'holds', limit: 120, windowSeconds: 600 };

/** Enough for a household, too few to guess a code. */
const PROMO_CODES_PER_NETWORK = { name: 'promo-codes', limit: 100, windowSeconds: 600 };

/** Prices and places, before there is an order. */
export function createCheckoutHandlers(context: Context): Handlers<typeof checkoutCalls> {
  return {
    createQuote: async ({ body }, c) => {
      if (body.promo_code) {
        await rateLimit(context, { ...PROMO_CODES_PER_NETWORK, who: readClient(c).network });
      }
      return createQuote(context, body, readClient(c).language);
    },

    takeHold: async ({ body, claim }, c) => {
      const { network } = readClient(c);
      await rateLimit(context, { ...HOLDS_PER_NETWORK, who: network });
      return takeHold(context, {
        quoteId: body.quote_id,
        claim,
        network: context.vault.fingerprint('hold-network', network),
      });
    },

    changeHold: ({ params, body }) =>
      body.quote_id
        ? swapHold(context, { holdId: params.id, quoteId: body.quote_id })
        : extendHold(context, params.id),

    releaseHold: async ({ params }) => {
      await requireHold(context, params.id);
      await releaseHold(context, params.id);
      return readHold(context, params.id);
    },
  };
}
