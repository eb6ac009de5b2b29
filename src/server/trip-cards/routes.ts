import type { Context } from 'hono';
import type { tripCardCalls } from '#contract/trip-cards/schemas.ts';
import type { Deps } from '../deps.ts';
import { makeStatementPdf } from '../documents/documents.ts';
import type { ApiEnv, SignedIn } from '../http/api.ts';
import { deviceOf } from '../http/device-name.ts';
import { type CallInput, type Handlers, Reply } from '../http/handle-calls.ts';
import { answer } from '../http/respond.ts';
import { callerOfCustomer, originOf } from '../security/password-limits.ts';
import { requireStepUp } from '../security/step-up.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { addCard, changeCard } from './add-card.ts';
import { removeAutoTopUp, setAutoTopUp } from './auto-top-up.ts';
import { freezeCard, replaceLostCard, unfreezeCard } from './block-card.ts';
import { makeOfflineCode } from './offline-code.ts';
import { presentShare } from './presenter.ts';
import { requireHeldCard } from './queries.ts';
import { type HistoryQuery, listCards, readBalance, readCard } from './read-cards.ts';
import { listTopUps, readTopUp } from './read-top-ups.ts';
import { revokeShare, shareCard } from './shares.ts';
import { startTopUp } from './start-top-up.ts';
import { readStatement, statementCsv, statementSheet } from './statement.ts';
import { transfer } from './transfer.ts';

type TripCardHandlers = Handlers<typeof tripCardCalls>;

/** A customer's trip cards: what is on them, who may use them, and what moves between them. */
export function createTripCardHandlers(deps: Deps): TripCardHandlers {
  return {
    listTripCards: async ({ session, list }) => {
      const { cards, meta } = await listCards(deps, session.customerId, list);
      return new Reply(cards, { meta });
    },

    addTripCard: async ({ session: { customerId }, body, claim }, c) => {
      const caller = callerOfCustomer(customerId, originOf(c));
      const card = await addCard(deps, { customerId, caller, claim }, body);
      return readCard(deps, customerId, card.id);
    },

    getTripCard: ({ session, params }) => readCard(deps, session.customerId, params.id),

    changeTripCard: async ({ session: { customerId }, params, body }) => {
      await changeCard(deps, customerId, params.id, body);
      return readCard(deps, customerId, params.id);
    },

    getTripCardBalance: async ({ session, params, ...query }) => {
      const history = historyQuery(query);
      const { balance, meta } = await readBalance(deps, session.customerId, params.id, history);
      return new Reply(balance, { meta });
    },

    getOfflineCode: ({ session, params }) => makeOfflineCode(deps, session.customerId, params.id),
    getStatement: (input, c) => sendStatement(deps, input, c),

    ...createBlockHandlers(deps),
    ...createTopUpHandlers(deps),
    ...createSharingHandlers(deps),
  };
}

/** Freezing is quick and needs no step-up; reporting a card lost is final, so it does. */
function createBlockHandlers(
  deps: Deps,
): Pick<TripCardHandlers, 'freezeTripCard' | 'unfreezeTripCard' | 'replaceLostTripCard'> {
  return {
    freezeTripCard: async ({ session: { customerId }, params }) => {
      await freezeCard(deps, customerId, params.id);
      return readCard(deps, customerId, params.id);
    },

    unfreezeTripCard: async ({ session: { customerId }, params }) => {
      await unfreezeCard(deps, customerId, params.id);
      return readCard(deps, customerId, params.id);
    },

    replaceLostTripCard: async ({ session, params }) => {
      await requireOwnCard(deps, session, params.id);
      const newId = await replaceLostCard(deps, session.customerId, params.id);
      return readCard(deps, session.customerId, newId);
    },
  };
}

function createTopUpHandlers(
  deps: Deps,
): Pick<TripCardHandlers, 'listTopUps' | 'startTopUp' | 'getTopUp' | 'setAutoTopUp' | 'removeAutoTopUp'> {
  return {
    listTopUps: async ({ session, params, ...query }) => {
      const history = historyQuery(query);
      const { topUps, meta } = await listTopUps(deps.db, session.customerId, params.id, history);
      return new Reply(topUps, { meta });
    },

    startTopUp: ({ session: { customerId }, params, body, claim }, c) => {
      const asking = {
        customerId,
        cardId: params.id,
        key: claim,
        from: c.var.remoteAddress,
        device: deviceOf(c),
      };
      return startTopUp(deps, asking, body);
    },

    getTopUp: ({ session, params }) => readTopUp(deps, session.customerId, params.id, params.top_up_id),

    setAutoTopUp: async ({ session, params, body }) => {
      await requireOwnCard(deps, session, params.id);
      await setAutoTopUp(deps, session.customerId, params.id, body);
      return readCard(deps, session.customerId, params.id);
    },

    removeAutoTopUp: async ({ session: { customerId }, params }) => {
      await removeAutoTopUp(deps, customerId, params.id);
      return readCard(deps, customerId, params.id);
    },
  };
}

function createSharingHandlers(
  deps: Deps,
): Pick<TripCardHandlers, 'transferValue' | 'shareTripCard' | 'revokeShare'> {
  return {
    transferValue: async ({ session, params, body, claim }) => {
      await requireOwnCard(deps, session, params.id);
      return transfer(deps, {
        customerId: session.customerId,
        fromId: params.id,
        toId: body.to_card_id,
        amount: body.amount,
        key: claim,
      });
    },

    shareTripCard: async ({ session, params, body }) => {
      await requireOwnCard(deps, session, params.id);
      return presentShare(await shareCard(deps, session.customerId, params.id, body));
    },

    revokeShare: async ({ session, params }) => {
      await revokeShare(deps, session.customerId, params.id, params.share_id);
      return null;
    },
  };
}

/**
 * A card of the customer's own, for changes that need a step-up. A card of another is not found rather than asking for
 * a step-up.
 * @throws {ApiError} not_found, step_up_required
 */
async function requireOwnCard(deps: Deps, session: SignedIn, cardId: string): Promise<void> {
  await requireHeldCard(deps.db, session.customerId, cardId, 'own');
  await requireStepUp(deps, session);
}

async function sendStatement(
  deps: Deps,
  { session, params, query }: CallInput<typeof tripCardCalls.getStatement>,
  c: Context<ApiEnv>,
): Promise<Response> {
  const statement = await readStatement(deps, session.customerId, params.id, query);
  const name = `trip-card-${statement.card.number.slice(-4)}-${statement.from}-${statement.to}`;
  const headers = (type: string, ending: string) => ({
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="${name}.${ending}"`,
    'Cache-Control': 'no-store',
  });
  if (query.format !== 'pdf') {
    return answer(c, statementCsv(statement), 200, headers('text/csv; charset=utf-8', 'csv'));
  }
  const input = { statement: statementSheet(statement), settings: await loadWebSettings(deps) };
  const pdf = await makeStatementPdf(input, { key: session.customerId, signal: c.req.raw.signal });
  return answer(c, new Uint8Array(pdf), 200, headers('application/pdf', 'pdf'));
}

function historyQuery({
  query,
  list,
}: Pick<CallInput<typeof tripCardCalls.getTripCardBalance>, 'query' | 'list'>): HistoryQuery {
  return { beforeSeq: query.before_seq === undefined ? null : Number(query.before_seq), list };
}
