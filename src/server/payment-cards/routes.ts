import type { Context, Hono } from 'hono';
import { apiPaths } from '#contract/paths.ts';
import {
  AddPaymentCardSchema,
  PAYMENT_CARDS_PAGE_SIZE,
  StartSetupSchema,
} from '#contract/payment-cards/schemas.ts';
import type { Deps } from '../deps.ts';
import { type ApiEnv, createRouter } from '../http/api.ts';
import { deviceOf } from '../http/device-name.ts';
import { withIdempotency } from '../http/idempotency.ts';
import { readListQuery } from '../http/list-query.ts';
import { readId } from '../http/params.ts';
import { readJson } from '../http/read.ts';
import { ok } from '../http/respond.ts';
import { honoPath } from '../http/route-path.ts';
import { requireSession, signedInOf } from '../http/session.ts';
import { addCard } from './add-card.ts';
import { makeCardPrimary, removeCard } from './change-cards.ts';
import { listCards, readPrimaryCard } from './read-cards.ts';
import { startSetup } from './start-setup.ts';

/** The signed-in customer's saved cards. */
export function createPaymentCardRoutes(deps: Deps): Hono<ApiEnv> {
  const routes = createRouter();
  const session = requireSession(deps);
  const optional = { isRequired: false };

  routes.get(apiPaths.primaryCard, session, async (c) => {
    const card = await readPrimaryCard(deps, signedInOf(c).customerId);
    return ok(c, card, card === null ? {} : { top: card });
  });

  routes.get(apiPaths.paymentCards, session, async (c) => {
    const query = readListQuery(c, { fields: {}, pageSize: PAYMENT_CARDS_PAGE_SIZE });
    const { cards, meta } = await listCards(deps, signedInOf(c).customerId, query);
    return ok(c, cards, { meta });
  });

  routes.post(apiPaths.newPaymentCard, session, async (c) => {
    const body = await readJson(c, StartSetupSchema);
    return withIdempotency(
      deps,
      c,
      body,
      async () => ok(c, await startSetup(deps, askerOf(c)), { status: 201 }),
      optional,
    );
  });

  routes.post(apiPaths.paymentCards, session, async (c) => {
    const body = await readJson(c, AddPaymentCardSchema);
    return withIdempotency(
      deps,
      c,
      body,
      async () => ok(c, await addCard(deps, askerOf(c), body), { status: 201 }),
      optional,
    );
  });

  routes.post(honoPath(apiPaths.makeCardPrimary), session, async (c) => {
    const id = readId(c);
    return withIdempotency(
      deps,
      c,
      null,
      async () => ok(c, await makeCardPrimary(deps, signedInOf(c).customerId, id)),
      optional,
    );
  });

  routes.delete(honoPath(apiPaths.paymentCard), session, async (c) =>
    ok(c, await removeCard(deps, signedInOf(c).customerId, readId(c))),
  );

  return routes;
}

function askerOf(c: Context<ApiEnv>) {
  return {
    customerId: signedInOf(c).customerId,
    device: deviceOf(c),
    from: c.var.remoteAddress,
  };
}
