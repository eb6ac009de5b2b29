import type { gateCalls } from '#contract/gate/schemas.ts';
import { translateTexts } from '#messages/translations.ts';
import { recordView } from '#server/audit/record-view.ts';
import type { Context } from '#server/context.ts';
import type { HttpContext, StaffSession } from '#server/http/api.ts';
import { notFound } from '#server/http/api-error.ts';
import { readClient } from '#server/http/client.ts';
import type { Handlers } from '#server/http/handle-calls.ts';
import { requestLanguage } from '#server/http/request-language.ts';
import { loadCatalogue } from '#server/sailings/queries.ts';
import { describeStaffActor } from '#server/staff/actor.ts';
import { type BoardingChange, changeBoarding } from './change-boarding.ts';
import { issueOverrideKey } from './override-proofs.ts';
import { readGatePack } from './read-pack.ts';
import { recordGateEvents } from './record-events.ts';

type SailingInput = { params: { id: string }; session: StaffSession };

/** Handlers for the gate. */
export function createGateHandlers(
  context: Pick<Context, 'db' | 'clock' | 'jobs' | 'vault'>,
): Handlers<typeof gateCalls> {
  const { db, clock } = context;
  const change = (change: BoardingChange, { params, session }: SailingInput, c: HttpContext) =>
    changeBoarding(context, {
      ...{ sailingId: params.id, change },
      ...{ actor: describeStaffActor(session, readClient(c)), language: requestLanguage(c) },
    });
  return {
    listGatePorts: async (_, c) => {
      const { ports, routes } = await loadCatalogue(db);
      const language = requestLanguage(c);
      const origins = new Set(routes.map(({ originPortId }) => originPortId));
      return ports
        .filter(({ id }) => origins.has(id))
        .map((port) => ({ code: port.code, name: translateTexts(port, language).name }));
    },
    getGatePack: async ({ params, query: { has }, session }, c) => {
      const { ports } = await loadCatalogue(db);
      const port = ports.find(({ code }) => code === params.code.toUpperCase());
      if (!port) throw notFound();
      await recordView(context, {
        ...{ actor: describeStaffActor(session, readClient(c)), action: 'gate_list_viewed' },
        ...{ objectKind: 'port', objectId: port.id },
      });
      return readGatePack(context, { port, language: requestLanguage(c), has });
    },
    sendGateEvents: async ({ body: { events }, session }, c) => {
      const actor = describeStaffActor(session, readClient(c));
      const outcome = await recordGateEvents(context, { events, actor });
      return { ...outcome, as_of: clock.now().toISOString() };
    },
    getOverrideKey: ({ session }) => issueOverrideKey(context, session),
    closeCheckIn: (input, c) => change('close', input, c),
    reopenCheckIn: (input, c) => change('reopen', input, c),
    departSailing: (input, c) => change('depart', input, c),
  };
}
