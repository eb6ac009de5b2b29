import type { Leg, Order, OrderSummary, Ticket } from '#contract/orders/schemas.ts';
import { createReference } from '#domain/orders/reference.ts';

/** The current time in these tests: 8:12 AM at the ports. */
export const NOW = Date.parse('2026-06-05T15:12:00Z');
const HOUR = 60 * 60_000;

/** A valid reference, different for each number below 31. */
export function referenceOf(number: number): string {
  return createReference(() => number);
}

/** A leg that departs in the given number of hours, seven hours behind UTC, and takes 35 minutes. */
export function buildLeg(hoursFromNow: number, over: Partial<Leg> = {}): Leg {
  const departs = NOW + hoursFromNow * HOUR;
  const arrives = departs + 35 * 60_000;
  const closes = departs - 20 * 60_000;
  return {
    leg: 'out',
    sailing_id: 'sai_00000000000000000000000001',
    status: 'scheduled',
    status_text: '',
    delay_minutes: 0,
    origin: { code: 'PMA', name: 'Port Madrona', lat: null, lon: null, address: '1 Ferry Dock Road' },
    destination: { code: 'HER', name: 'Heron Island' },
    vessel_name: 'Sandpiper',
    departs_at: new Date(departs).toISOString(),
    arrives_at: new Date(arrives).toISOString(),
    departs_local: localOf(departs),
    arrives_local: localOf(arrives),
    departs_zone: 'America/Los_Angeles',
    arrives_zone: 'America/Los_Angeles',
    departs_zone_label: 'PDT',
    arrives_zone_label: 'PDT',
    check_in_closes_at: new Date(closes).toISOString(),
    check_in_closes_local: localOf(closes),
    ...over,
  };
}

export function buildSummary(number: number, over: Partial<OrderSummary> = {}): OrderSummary {
  return {
    id: idOf(number),
    reference: referenceOf(number),
    status: 'confirmed',
    display_status: 'upcoming',
    total: 10_400,
    currency: 'USD',
    party_size: 2,
    legs: [buildLeg(24 * number)],
    inserted_at: '2026-06-01T10:00:00Z',
    version: 1,
    as_of: new Date(NOW).toISOString(),
    ...over,
  };
}

export function buildTicket(index: number, over: Partial<Ticket> = {}): Ticket {
  return {
    id: `tkt_${String(index).padStart(26, '0')}`,
    leg: 'out',
    sailing_id: 'sai_00000000000000000000000001',
    status: 'issued',
    title: 'Adult',
    kind: 'passenger',
    party_index: index,
    party_size: 2,
    boarding_code: `F93V SVF${index}`,
    barcode: { symbology: 'qr', payload: `GW1${index}`, key_id: 'key_1' },
    version: 1,
    as_of: new Date(NOW).toISOString(),
    ...over,
  };
}

export function buildOrder(number: number, over: Partial<Order> = {}): Order {
  return {
    ...buildSummary(number),
    payment_status: 'paid',
    needs_attention: null,
    notice: '',
    contact: { name: 'Robin Castellanos', email: 'robin@example.com', phone: '' },
    plate: null,
    subtotal: 10_400,
    discount: 0,
    tax: 0,
    paid: 10_400,
    refunded: 0,
    promo_code: null,
    fare_class: { code: 'flex', name: 'Flexible' },
    fare_policy: {
      change: { allowed: true, fee: 0, until_minutes: 0 },
      cancel: [{ until_minutes_before: 0, refund_bp: 10_000, fee: 0 }],
      no_show: 'forfeit',
    },
    policy_text: ['Full refund until Fri, Jun 5, 7:12 AM PDT.'],
    lines: [],
    tickets: [buildTicket(1), buildTicket(2)],
    payments: [],
    refunds: [],
    hold: null,
    confirmed_at: '2026-06-01T10:00:00Z',
    ...over,
  };
}

function idOf(number: number): string {
  return `ord_${String(number).padStart(26, '0')}`;
}

function localOf(instant: number): string {
  return `${new Date(instant - 7 * HOUR).toISOString().slice(0, 19)}-07:00`;
}
