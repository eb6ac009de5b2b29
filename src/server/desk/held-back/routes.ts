import type { HeldBackInput, HeldBackOutcome, heldBackCalls } from '#contract/desk/held-back/schemas.ts';
import type { CapacityItem } from '#domain/fares/capacity.ts';
import type { Context } from '#server/context.ts';
import { RESOURCES } from '#server/database/schema/timetable.ts';
import { inPreview } from '#server/database/transactions.ts';
import { ApiError } from '#server/http/api-error.ts';
import { readClient } from '#server/http/client.ts';
import type { Handlers } from '#server/http/handle-calls.ts';
import {
  type HoldBackInput,
  holdBackPlaces,
  releaseHeldBackPlaces,
  type SellableState,
} from '#server/operations/hold-back.ts';
import { describeStaffActor } from '#server/staff/actor.ts';

/** Handlers for places that are held back from sale online. */
export function createHeldBackHandlers(context: Context): Handlers<typeof heldBackCalls> {
  return {
    previewHeldBackPlaces: async ({ params, body, session }, c) => {
      const input = { ...describeInput(params.id, body), actor: describeStaffActor(session, readClient(c)) };
      const { resources } = await inPreview(context.db, (tx) =>
        holdBackPlaces({ ...context, db: tx }, input),
      );
      return presentOutcome(resources);
    },

    holdBackPlaces: async ({ params, body, session }, c) => {
      const input = { ...describeInput(params.id, body), actor: describeStaffActor(session, readClient(c)) };
      const { resources } = await holdBackPlaces(context, input);
      return presentOutcome(resources);
    },

    releaseHeldBackPlaces: async ({ params: { id }, session }, c) => {
      const actor = describeStaffActor(session, readClient(c));
      return presentOutcome(await releaseHeldBackPlaces(context, { id, actor }));
    },
  };
}

/** @throws {ApiError} invalid_input if it names no places */
function describeInput(
  sailingId: string,
  { reason, ...places }: HeldBackInput,
): Omit<HoldBackInput, 'actor'> {
  const items = RESOURCES.flatMap((resource): CapacityItem[] =>
    places[resource] > 0 ? [{ resource, amount: places[resource] }] : [],
  );
  if (items.length === 0) throw new ApiError('invalid_input', { field: 'passenger' });
  return { sailingId, places: items, reason };
}

function presentOutcome(resources: readonly SellableState[]): HeldBackOutcome {
  return {
    resources: resources.map(({ resource, heldBack, freeOnline }) => ({
      ...{ resource, held_back: heldBack, free_online: freeOnline },
    })),
  };
}
