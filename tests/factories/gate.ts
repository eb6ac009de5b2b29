import type { FareCard, GateFares } from '#contract/gate/fares/schemas.ts';
import type { GatePack, GateParty, GateSailing, GateTicket } from '#contract/gate/schemas.ts';
import { newId } from '#server/core/ids.ts';

/** An id made by a gate's device. */
export function newEventId(): string {
  return newId('gev');
}

/** A boat from North Quay at 16:00 UTC that boards. */
export function buildGateSailing(changes: Partial<GateSailing> = {}): GateSailing {
  return {
    id: newId('slg'),
    voyage_id: newId('voy'),
    route_id: 'rte_north_south',
    origin_port_id: 'prt_north',
    origin: 'North Quay',
    destination: 'South Quay',
    service_date: '2026-06-02',
    departs_at: '2026-06-02T16:00:00.000Z',
    departs_local: '2026-06-02T09:00:00-07:00',
    departs_zone: 'America/Los_Angeles',
    delay_minutes: 0,
    status: 'scheduled',
    check_in_closes_at: '2026-06-02T15:50:00.000Z',
    vessel: 'MV Harbor Seal',
    certificate: 300,
    through_passengers: 0,
    check_in_closed_at: null,
    departed_at: null,
    unticketed: 0,
    travelers_without_details: null,
    people_aboard: null,
    ...changes,
  };
}

export function buildGateTicket(changes: Partial<GateTicket> = {}): GateTicket {
  return {
    id: newId('tkt'),
    code: 'K7M4 QXP8',
    kind: 'passenger',
    title: 'Adult',
    name: null,
    status: 'issued',
    needs_proof: false,
    assistance: '',
    boarding: null,
    ...changes,
  };
}

/** A party of one adult. */
export function buildGateParty(sailingId: string, changes: Partial<GateParty> = {}): GateParty {
  return {
    reference: 'K7M4-QXP8',
    sailing_id: sailingId,
    contact_name: 'Ada Lovelace',
    phone: '+12065550123',
    vehicle: null,
    may_travel_later: false,
    tickets: [buildGateTicket()],
    ...changes,
  };
}

export function buildGatePack(changes: Partial<GatePack> = {}): GatePack {
  return {
    as_of: '2026-06-02T15:30:00.000Z',
    port: { id: 'prt_north', code: 'NOR', name: 'North Quay' },
    keys: [],
    sailings: [],
    parties: [],
    tags: (changes.sailings ?? []).map(({ id }) => ({ sailing_id: id, tag: 'a' })),
    ...changes,
  };
}

/** Fares of boats: $12.75 for an adult, $5 for a child, nothing for an infant. */
export function buildGateFares(
  sailings: readonly GateSailing[],
  changes: Partial<GateFares> = {},
): GateFares {
  return {
    currency: 'USD',
    max_party: 9,
    offline_limits: { money: 3000, trips: 4 },
    blocked: [],
    passes: [{ code: 'ten_trips', name: '10-trip pass', lines: null, passenger_types: null }],
    sailings: sailings.map(({ id }) => ({
      ...{ sailing_id: id, line: 'sound', fare_class: 'saver' },
      travelers: [
        { type: 'adult', name: 'Adult', amount: 1275, needs_adult: false },
        { type: 'child', name: 'Child', amount: 500, needs_adult: true },
        { type: 'infant', name: 'Infant', amount: 0, needs_adult: true },
      ],
    })),
    ...changes,
  };
}

/** A trip card with $20. */
export function buildFareCard(changes: Partial<FareCard> = {}): FareCard {
  return {
    ...{ id: newId('tcd'), last_four: '4821', unit: 'money', balance: 2000 },
    ...{ is_blocked: false, valid_until_minute: null, pass: null },
    ...changes,
  };
}
