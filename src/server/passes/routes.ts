import type { passCalls } from '#contract/passes/schemas.ts';
import type { Context } from '../context.ts';
import { readClient } from '../http/client.ts';
import { type Handlers, Reply } from '../http/handle-calls.ts';
import { cachedLanguage } from '../http/request-language.ts';
import { buyPass } from './buy-pass.ts';
import { listPassOffers } from './offers.ts';
import { listProducts } from './products.ts';

/** Only imports change the passes on sale. */
const LIST_MAX_AGE = 60;

/** The passes on sale, and their purchase. */
export function createPassHandlers(context: Context): Handlers<typeof passCalls> {
  return {
    listPasses: async (_, c) =>
      new Reply(await listProducts(context.db, cachedLanguage(c)), { maxAge: LIST_MAX_AGE }),
    listPassOffers: ({ session: { customerId }, params }, c) =>
      listPassOffers(context, { orderId: params.id, customerId, language: readClient(c).language }),
    buyPass: ({ session: { customerId }, body, claim }, c) =>
      buyPass(context, { ...body, customerId, claim, client: readClient(c) }),
  };
}
