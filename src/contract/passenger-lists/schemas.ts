import * as z from 'zod/mini';
import {
  CountrySchema,
  DaySchema,
  IdSchema,
  InstantSchema,
  LocalTimeSchema,
  PhoneSchema,
  plainText,
} from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { GROUP_LIMIT, PERSON_NAME_LENGTH } from '#contract/limits.ts';
import * as endpoints from './endpoints.ts';
import { CARE_LENGTH, GENDERS } from './fields.ts';

/**
 * What Directive 98/41/EC, article 5, asks of each person aboard. `nationality`: ISO 3166-1 alpha-2. `care`: what the
 * traveler wants the crew to know in an emergency.
 */
const TravelerDetailsSchema = z.strictObject({
  family_name: plainText(1, PERSON_NAME_LENGTH),
  forenames: plainText(1, PERSON_NAME_LENGTH),
  gender: z.enum(GENDERS),
  nationality: CountrySchema,
  birth_date: DaySchema,
  care: z._default(plainText(0, CARE_LENGTH), ''),
  emergency_phone: z._default(PhoneSchema, ''),
});
export type TravelerDetails = z.infer<typeof TravelerDetailsSchema>;

const SetTravelerDetailsSchema = z.strictObject({
  /** `traveler`: the number of the traveler's tickets in their party. Other travelers stay as they are. */
  travelers: z
    .array(z.strictObject({ traveler: z.int().check(z.gte(1)), details: TravelerDetailsSchema }))
    .check(z.minLength(1), z.maxLength(GROUP_LIMIT)),
  /** What proves the buyer of a guest's order. */
  buyer_secret: z.optional(z.string().check(z.maxLength(100))),
});
export type SetTravelerDetails = z.infer<typeof SetTravelerDetailsSchema>;

/**
 * Whose details an order still lacks, never what they are: the link of an order is passed on. `missing`: numbers of
 * travelers. `keep_hours`: after the arrival, until they are erased.
 */
const DetailsStateSchema = z.object({
  missing: z.array(z.int()),
  entered: z.array(z.int()),
  closes_at: InstantSchema,
  keep_hours: z.int(),
});
export type DetailsState = z.infer<typeof DetailsStateSchema>;

/** A boat at a port whose passenger list the law asks for. `sailing_id`: one of its sailings. */
const ListedBoatSchema = z.object({
  sailing_id: IdSchema,
  origin: z.string(),
  destination: z.string(),
  vessel: z.string(),
  departs_at: InstantSchema,
  departs_local: LocalTimeSchema,
  departs_zone: z.string(),
  departed_at: z.nullable(InstantSchema),
  /** Who is aboard or expected, and how many of them lack details. */
  travelers: z.int(),
  missing: z.int(),
});
export type ListedBoat = z.infer<typeof ListedBoatSchema>;

const ListedTravelerSchema = z.object({
  ticket_id: IdSchema,
  reference: z.string(),
  /** The code of the ticket that people read aloud. */
  code: z.string(),
  title: z.string(),
  is_aboard: z.boolean(),
  /** From an earlier port. */
  is_through: z.boolean(),
  /** Null: not entered, or erased. */
  details: z.nullable(TravelerDetailsSchema),
});
export type ListedTraveler = z.infer<typeof ListedTravelerSchema>;

/** `unticketed`: people without a ticket, who are in no list. */
const PassengerListSchema = z.object({
  boat: ListedBoatSchema,
  travelers: z.array(ListedTravelerSchema),
  unticketed: z.int(),
  as_of: InstantSchema,
});
export type PassengerList = z.infer<typeof PassengerListSchema>;

export const passengerListCalls = describeCalls(endpoints, {
  getTravelerDetails: {
    summary: 'Get whose details an order still lacks for the passenger list',
    response: DetailsStateSchema,
    errors: ['not_found'],
  },
  setTravelerDetails: {
    summary: 'Enter the details of travelers for the passenger list, until check-in closes',
    body: SetTravelerDetailsSchema,
    response: DetailsStateSchema,
    errors: ['not_found', 'order_closed', 'change_not_allowed'],
  },
  listPassengerLists: {
    summary: 'List the boats of the present hours whose passenger list the law asks for',
    response: z.array(ListedBoatSchema),
  },
  getPassengerList: {
    summary: 'Get the passenger list of a boat; the audit log records it',
    response: PassengerListSchema,
    errors: ['not_found'],
  },
  exportPassengerList: {
    summary: 'Download the list of the people aboard a boat as CSV; the audit log records it',
    response: { mediaType: 'text/csv' },
    errors: ['not_found'],
  },
  setTravelerDetailsAtGate: {
    summary: 'Enter the details of a traveler on a boat’s passenger list; the audit log records it',
    body: TravelerDetailsSchema,
    response: PassengerListSchema,
    errors: ['not_found'],
  },
});
