import * as z from 'zod/mini';
import { CodeSchema, IdSchema, plainText } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { PERSON_NAME_LENGTH, VEHICLE_NAME_LENGTH } from '#contract/limits.ts';
import { PlateSchema, VehicleSchema } from '#contract/orders/buy/schemas.ts';
import * as endpoints from './endpoints.ts';

/** Most vehicles and most travelers that an account can save. */
export const MAX_SAVED = 20;

const VehicleNameSchema = plainText(0, VEHICLE_NAME_LENGTH);
const TravelerNameSchema = plainText(1, PERSON_NAME_LENGTH);

/** Body of `POST saved_vehicles`: its sizes as for a quote, and a name of the customer's own, which may be empty. */
const SaveVehicleSchema = z.strictObject({
  name: z._default(VehicleNameSchema, ''),
  vehicle: VehicleSchema,
  plate: z._default(z.nullable(PlateSchema), null),
});
export type SaveVehicle = z.infer<typeof SaveVehicleSchema>;

export const SavedVehicleSchema = z.object({ id: IdSchema, ...SaveVehicleSchema.shape });
export type SavedVehicle = z.infer<typeof SavedVehicleSchema>;

/** Body of `POST saved_travelers`: `type` is the code of a passenger type. What assistance they need is not saved. */
const SaveTravelerSchema = z.strictObject({ name: TravelerNameSchema, type: CodeSchema });
export type SaveTraveler = z.infer<typeof SaveTravelerSchema>;

export const SavedTravelerSchema = z.object({ id: IdSchema, ...SaveTravelerSchema.shape });
export type SavedTraveler = z.infer<typeof SavedTravelerSchema>;

const SavedPartySchema = z.object({
  vehicles: z.array(SavedVehicleSchema),
  travelers: z.array(SavedTravelerSchema),
});
export type SavedParty = z.infer<typeof SavedPartySchema>;

export const savedPartyCalls = describeCalls(endpoints, {
  getSavedParty: {
    summary: 'Get the vehicles and travelers that the customer saved for the next purchase, oldest first',
    response: SavedPartySchema,
  },
  saveVehicle: {
    summary: 'Save a vehicle; one that is already saved stays as it is',
    body: SaveVehicleSchema,
    response: SavedVehicleSchema,
    errors: ['too_many_saved'],
  },
  renameVehicle: {
    summary: 'Rename a saved vehicle',
    body: z.strictObject({ name: VehicleNameSchema }),
    response: SavedVehicleSchema,
    errors: ['not_found'],
  },
  removeVehicle: {
    summary: 'Delete a saved vehicle; orders keep theirs',
    response: z.object({ id: IdSchema }),
    errors: ['not_found'],
  },
  saveTraveler: {
    summary: 'Save a traveler; one that is already saved stays as it is',
    body: SaveTravelerSchema,
    response: SavedTravelerSchema,
    errors: ['too_many_saved'],
  },
  renameTraveler: {
    summary: 'Rename a saved traveler',
    body: z.strictObject({ name: TravelerNameSchema }),
    response: SavedTravelerSchema,
    errors: ['not_found'],
  },
  removeTraveler: {
    summary: 'Delete a saved traveler; orders keep theirs',
    response: z.object({ id: IdSchema }),
    errors: ['not_found'],
  },
});
