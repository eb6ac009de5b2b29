import * as z from 'zod/mini';
import { DaySchema, IdSchema, InstantSchema, LocalTimeSchema, plainText } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { GROUP_LIMIT } from '#contract/limits.ts';
import { TicketKeySchema } from '#contract/orders/schemas.ts';
import * as endpoints from './endpoints.ts';
import { GateFaresSchema, OfflineFareFields } from './fares/schemas.ts';
import { DEVICE_NAME_LENGTH, GATE_EVENTS_LIMIT, PACK_TAGS_LENGTH, REASON_LENGTH } from './limits.ts';
import { MEASURED } from './vehicles/schemas.ts';

/** People without tickets that one press counts, at most. */
const COUNT_LIMIT = 99;

/** Tickets of an order on one boat: passengers, bicycles and a vehicle. */
const TICKETS_LIMIT = 2 * GROUP_LIMIT + 1;

/**
 * The number of people aboard that the boat's master was told at the departure, and its parts. `by_type`: those who boarded
 * at this port with a ticket. `through`: those from earlier ports who stay aboard. `is_corrected`: another number was told
 * before.
 */
const PeopleAboardSchema = z.object({
  people: z.int(),
  by_type: z.array(z.object({ title: z.string(), people: z.int() })),
  unticketed: z.int(),
  through: z.int(),
  counted_at: InstantSchema,
  is_corrected: z.boolean(),
});
export type PeopleAboard = z.infer<typeof PeopleAboardSchema>;

/** A sailing that a gate of its port may board, with what closing and departing decided. */
const GateSailingSchema = z.object({
  id: IdSchema,
  /** Sailings of one voyage from one port leave on the same boat. */
  voyage_id: IdSchema,
  route_id: IdSchema,
  origin_port_id: IdSchema,
  origin: z.string(),
  destination: z.string(),
  service_date: DaySchema,
  departs_at: InstantSchema,
  departs_local: LocalTimeSchema,
  departs_zone: z.string(),
  delay_minutes: z.int(),
  status: z.enum(['scheduled', 'suspended', 'canceled']),
  check_in_closes_at: InstantSchema,
  vessel: z.string(),
  /** How many people the vessel may carry. */
  certificate: z.int(),
  /** Length of the vessel's lanes. Absent in lists that a device saved with an earlier release. */
  lane_cm: z.optional(z.int()),
  /** People on board from ports before this one. */
  through_passengers: z.int(),
  check_in_closed_at: z.nullable(InstantSchema),
  departed_at: z.nullable(InstantSchema),
  /** People without tickets that the gate has counted. */
  unticketed: z.int(),
  /** Those of the queue without a place when it departed. Absent: none. */
  left_behind: z.optional(z.object({ people: z.int(), vehicles: z.int() })),
  /** How many travelers lack the details that the law asks for; null: it asks for none. */
  travelers_without_details: z.nullable(z.int()),
  /** Null until the boat has departed. */
  people_aboard: z.nullable(PeopleAboardSchema),
});
export type GateSailing = z.infer<typeof GateSailingSchema>;

/**
 * On which boat, when and by which device a ticket was boarded. `times`: more than one if devices without a connection
 * admitted it.
 */
const GateBoardingSchema = z.object({
  sailing_id: IdSchema,
  at: InstantSchema,
  device: z.string(),
  times: z.int(),
});

const GateTicketSchema = z.object({
  id: IdSchema,
  /** The code that people read aloud. */
  code: z.string(),
  kind: z.enum(['passenger', 'vehicle', 'bicycle']),
  title: z.string(),
  /** The traveler's name, if the buyer gave one. */
  name: z.nullable(z.string()),
  status: z.enum(['issued', 'checked_in', 'boarded', 'replaced', 'canceled', 'no_show', 'expired']),
  needs_proof: z.boolean(),
  /** The assistance that the traveler asked for; empty: none. */
  assistance: z.string(),
  /** The law asks for details of the traveler, and they are not entered. Absent: nothing is missing. */
  lacks_details: z.optional(z.literal(true)),
  boarding: z.nullable(GateBoardingSchema),
});
export type GateTicket = z.infer<typeof GateTicketSchema>;

/** The tickets of one order for one sailing. */
const GatePartySchema = z.object({
  reference: z.string(),
  sailing_id: IdSchema,
  contact_name: z.string(),
  phone: z.string(),
  vehicle: z.nullable(
    z.object({ plate: z.string(), length_cm: z.nullable(z.int()), height_cm: z.nullable(z.int()) }),
  ),
  /** The fare lets passengers who missed the boat take another one of the same day. */
  may_travel_later: z.boolean(),
  /** Tickets that were sold at the ramp after check-in was closed board until the boat departs. Absent: before. */
  sold_at: z.optional(InstantSchema),
  tickets: z.array(GateTicketSchema),
});
export type GateParty = z.infer<typeof GatePartySchema>;

/**
 * All that a gate of a port needs to decide without a connection. `tags`: of each sailing with tickets; a tag differs from
 * all others unless nothing about the sailing's parties has changed. `parties`: without those of the tags that a device
 * `has`.
 */
const GatePackSchema = z.object({
  as_of: InstantSchema,
  port: z.object({ id: IdSchema, code: z.string(), name: z.string() }),
  keys: z.array(TicketKeySchema),
  sailings: z.array(GateSailingSchema),
  tags: z.array(z.object({ sailing_id: IdSchema, tag: z.string() })),
  parties: z.array(GatePartySchema),
  /** Absent in lists that a device saved with an earlier release: it takes no fares. */
  fares: z.optional(GateFaresSchema),
});
export type GatePack = z.infer<typeof GatePackSchema>;

const GateEventFields = {
  /** Made by the device: an event that arrives twice counts once. */
  id: IdSchema,
  /** The sailing that the gate boards. */
  sailing_id: IdSchema,
  device: plainText(1, DEVICE_NAME_LENGTH),
  /** By the device's clock, corrected by the server's at the last contact. */
  occurred_at: InstantSchema,
  /** Who did it, because another person may be signed in when it is sent. Without it: the one who sends it. */
  staff_id: z.optional(IdSchema),
};

/** Made with the key of the session in which a ticket was let aboard with a reason, so that no one else can say so. */
const OverrideProofSchema = z.strictObject({
  key_id: z.string().check(z.maxLength(100)),
  mac: z.string().check(z.maxLength(60)),
});

/** `key`: for HMAC-SHA-256, until the session ends. It stays in the memory of the page. */
const OverrideKeySchema = z.object({ key_id: z.string(), key: z.string(), expires_at: InstantSchema });
export type OverrideKey = z.infer<typeof OverrideKeySchema>;

const EventReferenceSchema = z.string().check(z.maxLength(12));

/**
 * What happened at a gate. `board` without tickets is a party that the device's list did not have: all its tickets for
 * the sailing that its code names. `reference`: the order of a ticket that the list did not have, for the device's own
 * answers. `override`: why a refused ticket was let aboard, which needs a `proof`. `undo` takes an event back.
 */
const GateEventSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('board'),
    ...GateEventFields,
    tickets: z.array(IdSchema).check(z.maxLength(TICKETS_LIMIT)),
    party: z.optional(z.object({ reference: EventReferenceSchema, sailing_id: IdSchema })),
    reference: z.optional(EventReferenceSchema),
    override: z.optional(plainText(1, REASON_LENGTH)),
    proof: z.optional(OverrideProofSchema),
  }),
  z.object({
    type: z.literal('leave'),
    ...GateEventFields,
    tickets: z.array(IdSchema).check(z.minLength(1), z.maxLength(TICKETS_LIMIT)),
  }),
  z.object({ type: z.literal('undo'), ...GateEventFields, event_id: IdSchema }),
  /** A vehicle that went aboard, measured without a connection: what it costs beyond the booking is taken later. */
  z.object({ type: z.literal('measure'), ...GateEventFields, ticket_id: IdSchema, ...MEASURED }),
  /** The list of the boat was printed. */
  z.object({ type: z.literal('print'), ...GateEventFields }),
  z.object({
    type: z.literal('count'),
    ...GateEventFields,
    people: z.int().check(z.gte(-COUNT_LIMIT), z.lte(COUNT_LIMIT)),
  }),
  /** People without tickets went aboard for a fare that was taken without a connection. */
  z.object({ type: z.literal('fare'), ...GateEventFields, ...OfflineFareFields }),
]);
export type GateEvent = z.infer<typeof GateEventSchema>;

const GateEventsSchema = z.object({
  events: z.array(GateEventSchema).check(z.minLength(1), z.maxLength(GATE_EVENTS_LIMIT)),
});

/** `twice`: tickets of these events that more than one device admitted. `unknown`: tickets that do not exist. */
const GateEventsResultSchema = z.object({
  twice: z.array(IdSchema),
  unknown: z.array(IdSchema),
  as_of: InstantSchema,
});

const SailingResultSchema = z.object({ sailings: z.array(GateSailingSchema), as_of: InstantSchema });

export const gateCalls = describeCalls(endpoints, {
  listGatePorts: {
    summary: 'List the ports that a gate can stand at',
    response: z.array(z.object({ code: z.string(), name: z.string() })),
  },
  getGatePack: {
    summary: 'Get what a gate of a port needs to check tickets without a connection',
    query: z.strictObject({ has: z.optional(z.string().check(z.maxLength(PACK_TAGS_LENGTH))) }),
    response: GatePackSchema,
    errors: ['not_found'],
  },
  sendGateEvents: {
    summary: 'Store what happened at a gate; events that are stored already count once',
    body: GateEventsSchema,
    response: GateEventsResultSchema,
    errors: ['not_found'],
  },
  getOverrideKey: {
    summary: 'Get the key that proves in whose session a refused ticket is let aboard',
    response: OverrideKeySchema,
  },
  closeCheckIn: {
    summary: 'Close check-in for a boat and free the places of those who did not come',
    response: SailingResultSchema,
    errors: ['not_found', 'sailing_not_boarding'],
  },
  reopenCheckIn: {
    summary: 'Open check-in for a boat again',
    response: SailingResultSchema,
    errors: ['not_found', 'sailing_not_boarding'],
  },
  departSailing: {
    summary: 'Record that a boat has departed',
    response: SailingResultSchema,
    errors: ['not_found', 'sailing_not_boarding'],
  },
});
