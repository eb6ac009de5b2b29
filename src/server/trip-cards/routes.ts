import type { tripCardCalls } from '#contract/trip-cards/schemas.ts';
import type { Context } from '../context.ts';
import { makeStatementPdf } from '../documents/documents.ts';
import type { HttpContext, SignedIn } from '../http/api.ts';
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
export function createTripCardHandlers(context: Context): TripCardHandlers {
  return {
    listTripCards: async ({ session, list }) => {
      const { cards, meta } = await listCards(context, session.customerId, list);
      return new Reply(cards, { meta });
    },

    addTripCard: async ({ session: { customerId }, body, claim }, c) => {
      const caller = callerOfCustomer(customerId, originOf(c));
      const card = await addCard(context, { customerId, caller, claim }, body);
      return readCard(context, customerId, card.id);
    },

    getTripCard: ({ session, params }) => readCard(context, session.customerId, params.id),

    changeTripCard: async ({ session: { customerId }, params, body }) => {
      await changeCard(context, customerId, params.id, body);
      return readCard(context, customerId, params.id);
    },

    getTripCardBalance: async ({ session, params, ...query }) => {
      const history = historyQuery(query);
      const { balance, meta } = await readBalance(context, session.customerId, params.id, history);
      return new Reply(balance, { meta });
    },

    getOfflineCode: ({ session, params }) => makeOfflineCode(context, session.customerId, params.id),
    getStatement: (input, c) => sendStatement(context, input, c),

    ...createBlockHandlers(context),
    ...createTopUpHandlers(context),
    ...createSharingHandlers(context),
  };
}

/** Freezing is quick and needs no step-up; reporting a card lost is final, so it does. */
function createBlockHandlers(
  context: Context,
): Pick<TripCardHandlers, 'freezeTripCard' | 'unfreezeTripCard' | 'replaceLostTripCard'> {
  return {
    freezeTripCard: async ({ session: { customerId }, params }) => {
      await freezeCard(context, customerId, params.id);
      return readCard(context, customerId, params.id);
    },

    unfreezeTripCard: async ({ session: { customerId }, params }) => {
      await unfreezeCard(context, customerId, params.id);
      return readCard(context, customerId, params.id);
    },

    replaceLostTripCard: async ({ session, params }) => {
      await requireOwnCard(context, session, params.id);
      const newId = await replaceLostCard(context, session.customerId, params.id);
      return readCard(context, session.customerId, newId);
    },
  };
}

function createTopUpHandlers(
  context: Context,
): Pick<TripCardHandlers, 'listTopUps' | 'startTopUp' | 'getTopUp' | 'setAutoTopUp' | 'removeAutoTopUp'> {
  return {
    listTopUps: async ({ session, params, ...query }) => {
      const history = historyQuery(query);
      const { topUps, meta } = await listTopUps(context.db, session.customerId, params.id, history);
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
      return startTopUp(context, asking, body);
    },

    getTopUp: ({ session, params }) => readTopUp(context, session.customerId, params.id, params.top_up_id),

    setAutoTopUp: async ({ session, params, body }) => {
      await requireOwnCard(context, session, params.id);
      await setAutoTopUp(context, session.customerId, params.id, body);
      return readCard(context, session.customerId, params.id);
    },

    removeAutoTopUp: async ({ session: { customerId }, params }) => {
      await removeAutoTopUp(context, customerId, params.id);
      return readCard(context, customerId, params.id);
    },
  };
}

function createSharingHandlers(
  context: Context,
): Pick<TripCardHandlers, 'transferValue' | 'shareTripCard' | 'revokeShare'> {
  return {
    transferValue: async ({ session, params, body, claim }) => {
      await requireOwnCard(context, session, params.id);
      return transfer(context, {
        customerId: session.customerId,
        fromId: params.id,
        toId: body.to_card_id,
        amount: body.amount,
        key: claim,
      });
    },

    shareTripCard: async ({ session, params, body }) => {
      await requireOwnCard(context, session, params.id);
      return presentShare(await shareCard(context, session.customerId, params.id, body));
    },

    revokeShare: async ({ session, params }) => {
      await revokeShare(context, session.customerId, params.id, params.share_id);
      return null;
    },
  };
}

/**
 * A card of the customer's own, for changes that need a step-up. A card of another is not found rather than asking for
 * a step-up.
 * @throws {ApiError} not_found, step_up_required
 */
async function requireOwnCard(context: Context, session: SignedIn, cardId: string): Promise<void> {
  await requireHeldCard(context.db, session.customerId, cardId, 'own');
  await requireStepUp(context, session);
}

async function sendStatement(
  context: Context,
  { session, params, query }: CallInput<typeof tripCardCalls.getStatement>,
  c: HttpContext,
): Promise<Response> {
  const statement = await readStatement(context, session.customerId, params.id, query);
  const name = `trip-card-${statement.card.number.slice(-4)}-${statement.from}-${statement.to}`;
  const headers = (type: string, ending: string) => ({
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="${name}.${ending}"`,
    'Cache-Control': 'no-store',
  });
  if (query.format !== 'pdf') {
    return answer(c, statementCsv(statement), 200, headers('text/csv; charset=utf-8', 'csv'));
  }
  const input = { statement: statementSheet(statement), settings: await loadWebSettings(context) };
  const pdf = await makeStatementPdf(input, { key: session.customerId, signal: c.req.raw.signal });
  return answer(c, new Uint8Array(pdf), 200, headers('application/pdf', 'pdf'));
}

function historyQuery({
  query,
  list,
}: Pick<CallInput<typeof tripCardCalls.getTripCardBalance>, 'query' | 'list'>): HistoryQuery {
  return { beforeSeq: query.before_seq === undefined ? null : Number(query.before_seq), list };
}
