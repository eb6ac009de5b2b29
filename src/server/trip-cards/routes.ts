import type { Context, Hono } from 'hono';
import { apiPaths } from '#contract/paths.ts';
import {
  AddTripCardSchema,
  ChangeTripCardSchema,
  SeqQuerySchema,
  SetAutoTopUpSchema,
  ShareTripCardSchema,
  StartTopUpSchema,
  StatementQuerySchema,
  TransferSchema,
} from '#contract/trip-cards/schemas.ts';
import type { Deps } from '../deps.ts';
import { makeStatementPdf } from '../documents/documents.ts';
import { type ApiEnv, createRouter } from '../http/api.ts';
import { deviceOf } from '../http/device-name.ts';
import { withIdempotency } from '../http/idempotency.ts';
import { readListQuery } from '../http/list-query.ts';
import { readId } from '../http/params.ts';
import { check, readJson } from '../http/read.ts';
import { answer, ok } from '../http/respond.ts';
import { honoPath } from '../http/route-path.ts';
import { requireSession, signedInOf } from '../http/session.ts';
import { callerOfCustomer, originOf } from '../security/password-limits.ts';
import { requireStepUp } from '../security/step-up.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { addCard, changeCard } from './add-card.ts';
import { removeAutoTopUp, setAutoTopUp } from './auto-top-up.ts';
import { freezeCard, replaceLostCard, unfreezeCard } from './block-card.ts';
import { makeOfflineCode } from './offline-code.ts';
import { presentShare } from './presenter.ts';
import { requireHeldCard } from './queries.ts';
import {
  CARDS_PAGE_SIZE,
  HISTORY_PAGE_SIZE,
  type HistoryQuery,
  listCards,
  readBalance,
  readCard,
} from './read-cards.ts';
import { listTopUps, readTopUp } from './read-top-ups.ts';
import { revokeShare, shareCard } from './shares.ts';
import { startTopUp } from './start-top-up.ts';
import { readStatement, statementCsv, statementSheet } from './statement.ts';
import { transfer } from './transfer.ts';

/** A customer's trip cards: what is on them, who may use them, and what moves between them. */
export function createTripCardRoutes(deps: Deps): Hono<ApiEnv> {
  const routes = createRouter();
  const session = requireSession(deps);

  routes.get(apiPaths.tripCards, session, async (c) => {
    const query = readListQuery(c, { fields: {}, pageSize: CARDS_PAGE_SIZE });
    const { cards, meta } = await listCards(deps, signedInOf(c).customerId, query);
    return ok(c, cards, { meta });
  });

  routes.post(apiPaths.tripCards, session, async (c) => {
    const { customerId } = signedInOf(c);
    const body = await readJson(c, AddTripCardSchema);
    return withIdempotency(deps, c, body, async (claim) => {
      const caller = callerOfCustomer(customerId, originOf(c));
      const asking = { customerId, caller, claim };
      const card = await addCard(deps, asking, body);
      return ok(c, await readCard(deps, customerId, card.id), { status: 201 });
    });
  });

  routes.get(honoPath(apiPaths.tripCard), session, async (c) =>
    ok(c, await readCard(deps, signedInOf(c).customerId, readId(c))),
  );

  routes.patch(honoPath(apiPaths.tripCard), session, async (c) => {
    const { customerId } = signedInOf(c);
    const id = readId(c);
    await changeCard(deps, customerId, id, await readJson(c, ChangeTripCardSchema));
    return ok(c, await readCard(deps, customerId, id));
  });

  routes.get(honoPath(apiPaths.tripCardBalance), session, async (c) => {
    const { balance, meta } = await readBalance(
      deps,
      signedInOf(c).customerId,
      readId(c),
      readHistoryQuery(c),
    );
    return ok(c, balance, { meta });
  });

  routes.get(honoPath(apiPaths.tripCardOfflineCode), session, async (c) =>
    ok(c, await makeOfflineCode(deps, signedInOf(c).customerId, readId(c))),
  );

  routes.get(honoPath(apiPaths.tripCardStatement), session, async (c) => {
    const query = check(StatementQuerySchema, c.req.query());
    const statement = await readStatement(deps, signedInOf(c).customerId, readId(c), query);
    const name = `trip-card-${statement.card.number.slice(-4)}-${statement.from}-${statement.to}`;
    const headers = (type: string, ending: string) => ({
      'Content-Type': type,
      'Content-Disposition': `attachment; filename="${name}.${ending}"`,
      'Cache-Control': 'no-store',
    });
    if (query.format !== 'pdf') {
      return answer(c, statementCsv(statement), 200, headers('text/csv; charset=utf-8', 'csv'));
    }
    const wish = { statement: statementSheet(statement), settings: await loadWebSettings(deps) };
    const pdf = await makeStatementPdf(wish, { key: signedInOf(c).customerId, signal: c.req.raw.signal });
    return answer(c, new Uint8Array(pdf), 200, headers('application/pdf', 'pdf'));
  });

  addBlocks(routes, deps);
  addTopUps(routes, deps);
  addSharing(routes, deps);

  routes.post(honoPath(apiPaths.tripCardTransfers), session, async (c) => {
    const { customerId } = signedInOf(c);
    const fromId = readId(c);
    const body = await readJson(c, TransferSchema);
    await requireHeldCard(deps.db, customerId, fromId, 'own');
    await requireStepUp(deps, c);
    return withIdempotency(deps, c, body, async (key) => {
      const move = { customerId, fromId, toId: body.to_card_id, amount: body.amount, key };
      return ok(c, await transfer(deps, move), { status: 201 });
    });
  });

  return routes;
}

/** Freezing is quick, and nothing is asked first; losing a card is for good, so it is. */
function addBlocks(routes: Hono<ApiEnv>, deps: Deps): void {
  const session = requireSession(deps);
  for (const [path, change] of [
    [apiPaths.tripCardFreeze, freezeCard],
    [apiPaths.tripCardUnfreeze, unfreezeCard],
  ] as const) {
    routes.post(honoPath(path), session, async (c) => {
      const { customerId } = signedInOf(c);
      const id = readId(c);
      await change(deps, customerId, id);
      return ok(c, await readCard(deps, customerId, id));
    });
  }
  routes.post(honoPath(apiPaths.tripCardLost), session, async (c) => {
    const { customerId } = signedInOf(c);
    const id = readId(c);
    await requireHeldCard(deps.db, customerId, id, 'own');
    await requireStepUp(deps, c);
    return withIdempotency(
      deps,
      c,
      null,
      async () => ok(c, await readCard(deps, customerId, await replaceLostCard(deps, customerId, id))),
      { isRequired: false },
    );
  });
}

function addTopUps(routes: Hono<ApiEnv>, deps: Deps): void {
  const session = requireSession(deps);
  routes.get(honoPath(apiPaths.tripCardTopUps), session, async (c) => {
    const { customerId } = signedInOf(c);
    const { topUps, meta } = await listTopUps(deps.db, customerId, readId(c), readHistoryQuery(c));
    return ok(c, topUps, { meta });
  });
  routes.post(honoPath(apiPaths.tripCardTopUps), session, async (c) => {
    const { customerId } = signedInOf(c);
    const cardId = readId(c);
    const body = await readJson(c, StartTopUpSchema);
    return withIdempotency(deps, c, body, async (key) => {
      const asking = { customerId, cardId, key, from: c.var.remoteAddress, device: deviceOf(c) };
      return ok(c, await startTopUp(deps, asking, body), { status: 201 });
    });
  });
  routes.get(honoPath(apiPaths.tripCardTopUp), session, async (c) =>
    ok(c, await readTopUp(deps, signedInOf(c).customerId, readId(c), readId(c, 'top_up_id'))),
  );
  routes.put(honoPath(apiPaths.tripCardAutoTopUp), session, async (c) => {
    const { customerId } = signedInOf(c);
    const cardId = readId(c);
    const body = await readJson(c, SetAutoTopUpSchema);
    await requireHeldCard(deps.db, customerId, cardId, 'own');
    await requireStepUp(deps, c);
    await setAutoTopUp(deps, customerId, cardId, body);
    return ok(c, await readCard(deps, customerId, cardId));
  });
  routes.delete(honoPath(apiPaths.tripCardAutoTopUp), session, async (c) => {
    const { customerId } = signedInOf(c);
    const cardId = readId(c);
    await removeAutoTopUp(deps, customerId, cardId);
    return ok(c, await readCard(deps, customerId, cardId));
  });
}

function addSharing(routes: Hono<ApiEnv>, deps: Deps): void {
  const session = requireSession(deps);
  routes.post(honoPath(apiPaths.tripCardShares), session, async (c) => {
    const { customerId } = signedInOf(c);
    const id = readId(c);
    const body = await readJson(c, ShareTripCardSchema);
    await requireHeldCard(deps.db, customerId, id, 'own');
    await requireStepUp(deps, c);
    return withIdempotency(
      deps,
      c,
      body,
      async () => ok(c, presentShare(await shareCard(deps, customerId, id, body)), { status: 201 }),
      { isRequired: false },
    );
  });
  routes.delete(honoPath(apiPaths.tripCardShare), session, async (c) => {
    await revokeShare(deps, signedInOf(c).customerId, readId(c), readId(c, 'share_id'));
    return ok(c, null);
  });
}

/** @throws {ApiError} invalid_input */
function readHistoryQuery(c: Context): HistoryQuery {
  const list = readListQuery(c, { fields: {}, pageSize: HISTORY_PAGE_SIZE });
  const before = c.req.queries('before_seq') ?? [];
  const { before_seq: beforeSeq } = check(
    SeqQuerySchema,
    before.length > 0 ? { before_seq: before.at(-1) } : {},
  );
  return { beforeSeq: beforeSeq === undefined ? null : Number(beforeSeq), list };
}
