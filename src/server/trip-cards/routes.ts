import { translateSettings } from '#contract/settings/translate-settings.ts';
import type { tripCardCalls } from '#contract/trip-cards/schemas.ts';
import type { Context } from '../context.ts';
import { getAccountCaller } from '../credentials/password-limits.ts';
import { makeDocument } from '../documents/documents.ts';
import type { CustomerSession, HttpContext } from '../http/api.ts';
import { readClient } from '../http/client.ts';
import { type CallInput, type Handlers, Reply } from '../http/handle-calls.ts';
import { requestLanguage } from '../http/request-language.ts';
import { answer } from '../http/respond.ts';
import { requireStepUp } from '../identity/security/step-up.ts';
import { loadWebSettings } from '../settings/web-settings.ts';
import { addCard, changeCard } from './add-card.ts';
import { removeAutoTopUp, setAutoTopUp } from './auto-top-up.ts';
import { freezeCard, replaceLostCard, unfreezeCard } from './block-card.ts';
import { presentShare } from './presenter.ts';
import { type CardRequest, requireHeldCard } from './queries.ts';
import { type HistoryRequest, listCards, makeOfflineCode, readBalance, readCard } from './read-cards.ts';
import { revokeShare, shareCard } from './shares.ts';
import { readStatement, statementCsv, statementSheet } from './statement.ts';
import { listTopUps, readTopUp, startTopUp } from './top-ups.ts';
import { transfer } from './transfer.ts';

type CardCall = { session: CustomerSession; params: { id: string } };

/** A customer's trip cards: balances, shares and transfers. */
export function createTripCardHandlers(context: Context): Handlers<typeof tripCardCalls> {
  /** Runs a command on the card of the path and returns the changed card. */
  const change =
    <Body extends object>(command: (context: Context, input: CardRequest & Body) => Promise<void>) =>
    async (input: CardCall & { body: Body | null }, c: HttpContext) => {
      await command(context, { ...readCardRequest(input), ...(input.body as Body) });
      return readCard(context, { ...readCardRequest(input), language: requestLanguage(c) });
    };

  return {
    listTripCards: async ({ session: { customerId }, list, query }, c) => {
      const hasPasses = query.include === 'passes';
      const language = requestLanguage(c);
      const { cards, meta } = await listCards(context, { customerId, list, hasPasses, language });
      return new Reply(cards, { meta });
    },

    addTripCard: async ({ session: { customerId }, body, claim }, c) => {
      const caller = getAccountCaller(customerId, readClient(c));
      const card = await addCard(context, { ...body, customerId, caller, claim });
      return readCard(context, { customerId, cardId: card.id, language: requestLanguage(c) });
    },

    getTripCard: (input, c) => readCard(context, { ...readCardRequest(input), language: requestLanguage(c) }),
    changeTripCard: change(changeCard),

    getTripCardBalance: async (input, c) => {
      const { balance, meta } = await readBalance(context, historyRequest(input, c));
      return new Reply(balance, { meta });
    },

    getOfflineCode: (input) => makeOfflineCode(context, readCardRequest(input)),
    getStatement: (input, c) => sendStatement(context, input, c),

    // Freezing is quick and needs no step-up; reporting a card lost is final, so it does.
    freezeTripCard: change(freezeCard),
    unfreezeTripCard: change(unfreezeCard),
    replaceLostTripCard: async (input, c) => {
      const { customerId, cardId } = await requireOwnCard(context, input);
      const replacementId = await replaceLostCard(context, { customerId, cardId });
      return readCard(context, { customerId, cardId: replacementId, language: requestLanguage(c) });
    },

    listTopUps: async (input, c) => {
      const { topUps, meta } = await listTopUps(context, historyRequest(input, c));
      return new Reply(topUps, { meta });
    },

    startTopUp: (input, c) => {
      const { body, claim } = input;
      return startTopUp(context, { ...readCardRequest(input), ...body, claim, client: readClient(c) });
    },

    getTopUp: (input, c) =>
      readTopUp(context, {
        ...readCardRequest(input),
        topUpId: input.params.top_up_id,
        language: requestLanguage(c),
      }),

    setAutoTopUp: async (input, c) => {
      await requireOwnCard(context, input);
      return change(setAutoTopUp)(input, c);
    },

    removeAutoTopUp: change(removeAutoTopUp),

    transferValue: async (input) => {
      const { customerId, cardId } = await requireOwnCard(context, input);
      const { to_card_id: toId, amount } = input.body;
      return transfer(context, { customerId, fromId: cardId, toId, amount, key: input.claim });
    },

    shareTripCard: async (input) => {
      const card = await requireOwnCard(context, input);
      return presentShare(await shareCard(context, { ...card, ...input.body }));
    },

    revokeShare: (input) =>
      revokeShare(context, { ...readCardRequest(input), shareId: input.params.share_id }),
  };
}

function readCardRequest({ session, params }: CardCall): CardRequest {
  return { customerId: session.customerId, cardId: params.id };
}

/**
 * A card of the customer's own, for changes that need a step-up. A card of another is not found rather than asking for
 * a step-up.
 * @throws {ApiError} not_found, step_up_required
 */
async function requireOwnCard(context: Context, input: CardCall): Promise<CardRequest> {
  await requireHeldCard(context.db, readCardRequest(input), 'own');
  await requireStepUp(context, input.session);
  return readCardRequest(input);
}

async function sendStatement(
  context: Context,
  input: CallInput<typeof tripCardCalls.getStatement>,
  c: HttpContext,
): Promise<Response> {
  const statement = await readStatement(context, { ...readCardRequest(input), ...input.query });
  const language = requestLanguage(c);
  const name = `trip-card-${statement.card.number.slice(-4)}-${statement.from}-${statement.to}`;
  const headers = (type: string, ending: string) => ({
    'Content-Type': type,
    'Content-Disposition': `attachment; filename="${name}.${ending}"`,
    'Cache-Control': 'no-store',
  });
  if (input.query.format !== 'pdf') {
    return answer(c, statementCsv(statement, language), 200, headers('text/csv; charset=utf-8', 'csv'));
  }
  const settings = translateSettings(await loadWebSettings(context), language);
  const sheet = { statement: statementSheet(statement, language), settings };
  const caller = { key: input.session.customerId, signal: readClient(c).signal };
  const pdf = await makeDocument(sheet, caller);
  return answer(c, new Uint8Array(pdf), 200, headers('application/pdf', 'pdf'));
}

function historyRequest(
  input: CardCall & Pick<CallInput<typeof tripCardCalls.getTripCardBalance>, 'query' | 'list'>,
  c: HttpContext,
): HistoryRequest {
  const { before_seq: before } = input.query;
  return {
    ...readCardRequest(input),
    beforeSeq: before === undefined ? null : Number(before),
    list: input.list,
    language: requestLanguage(c),
  };
}
