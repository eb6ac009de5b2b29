import type { savedPartyCalls } from '#contract/saved-party/schemas.ts';
import type { Context } from '../context.ts';
import { savedTravelers, savedVehicles } from '../database/schema/saved-party.ts';
import type { Handlers } from '../http/handle-calls.ts';
import {
  listSavedParty,
  removeSaved,
  renameTraveler,
  renameVehicle,
  saveTraveler,
  saveVehicle,
} from './saved-party.ts';

/** The vehicles and travelers that customers save for their next purchase. */
export function createSavedPartyHandlers(context: Context): Handlers<typeof savedPartyCalls> {
  return {
    getSavedParty: ({ session }) => listSavedParty(context.db, session.customerId),
    saveVehicle: ({ session: { customerId }, body }) => saveVehicle(context, { customerId, ...body }),
    renameVehicle: ({ session: { customerId }, params, body }) =>
      renameVehicle(context, { customerId, id: params.id, name: body.name }),
    removeVehicle: ({ session: { customerId }, params }) =>
      removeSaved(context.db, savedVehicles, { customerId, id: params.id }),
    saveTraveler: ({ session: { customerId }, body }) => saveTraveler(context, { customerId, ...body }),
    renameTraveler: ({ session: { customerId }, params, body }) =>
      renameTraveler(context, { customerId, id: params.id, name: body.name }),
    removeTraveler: ({ session: { customerId }, params }) =>
      removeSaved(context.db, savedTravelers, { customerId, id: params.id }),
  };
}
