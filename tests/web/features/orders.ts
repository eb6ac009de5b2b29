import type { Leg, Order, OrderSummary, Ticket } from '#contract/orders/schemas.ts';

/** Orders as the API returns them, before the conversion to camel case. */
const AS_OF = '2026-06-01T12:00:00Z';

export function buildLeg(over: Partial<Leg> = {}): Leg {
  return {
    leg: 'out',
    sailing_id: 'sai_out1',
    status: 'scheduled',
    status_text: '',
    delay_minutes: 0,
    origin: { code: 'MAD', name: 'Port Madrona', lat: 47.95, lon: -122.42, address: '1 Ferry Dock Road' },
    destination: { code: 'HER', name: 'Heron Island' },
    vessel_name: 'MV Tidewater',
    departs_at: '2026-06-05T15:40:00Z',
    arrives_at: '2026-06-05T16:15:00Z',
    departs_local: '2026-06-05T08:40:00-07:00',
    arrives_local: '2026-06-05T09:15:00-07:00',
    departs_zone: 'America/Los_Angeles',
    arrives_zone: 'America/Los_Angeles',
    departs_zone_label: 'PDT',
    arrives_zone_label: 'PDT',
    check_in_closes_at: '2026-06-05T15:20:00Z',
    check_in_closes_local: '2026-06-05T08:20:00-07:00',
    ...over,
  };
}

export function buildTicket(index: number, over: Partial<Ticket> = {}): Ticket {
  return {
    id: `tkt_${index}`,
    leg: 'out',
    sailing_id: 'sai_out1',
    status: 'issued',
    title: `Adult ${index}`,
    kind: 'passenger',
    party_index: index,
    party_size: 2,
    boarding_code: `K7M4 QXP${index}`,
    barcode: { symbology: 'qr', payload: `GW1.ticket.${index}`, key_id: 'k1' },
    version: 1,
    as_of: AS_OF,
    ...over,
  };
}

const policy = {
  change: { allowed: true, fee: 1000, until_minutes: 1440 },
  cancel: [{ until_minutes_before: 1440, refund_bp: 5000, fee: 0 }],
  no_show: 'forfeit' as const,
};

export function buildOrder(over: Partial<Order> = {}): Order {
  return {
    id: 'ord_1',
    reference: '2NWB-2WMB',
    status: 'confirmed',
    payment_status: 'paid',
    display_status: 'upcoming',
    needs_attention: null,
    notice: '',
    contact: { name: 'Ada Lovelace', email: 'a•••@example.com', phone: '' },
    plate: null,
    currency: 'USD',
    subtotal: 1850,
    discount: 0,
    tax: 0,
    total: 1850,
    paid: 1850,
    refunded: 0,
    promo_code: null,
    fare_class: { code: 'saver', name: 'Saver' },
    fare_policy: policy,
    policy_text: ['50% refund until Thu, Jun 4, 9:30 AM PDT.'],
    legs: [buildLeg()],
    lines: [
      {
        id: 'lin_1',
        leg: 'out',
        kind: 'passenger',
        description: 'Adult',
        quantity: 2,
        unit_amount: 925,
        amount: 1850,
        status: 'active',
      },
    ],
    tickets: [buildTicket(1), buildTicket(2)],
    payments: [],
    refunds: [],
    hold: null,
    confirmed_at: '2026-06-01T11:00:00Z',
    inserted_at: '2026-06-01T10:59:00Z',
    version: 1,
    as_of: AS_OF,
    ...over,
  };
}

export function buildOrderSummary(over: Partial<OrderSummary> = {}): OrderSummary {
  const { id, reference, status, display_status, total, currency, legs, inserted_at, version, as_of } =
    buildOrder();
  return {
    id,
    reference,
    status,
    display_status,
    total,
    currency,
    party_size: 2,
    legs,
    inserted_at,
    version,
    as_of,
    ...over,
  };
}
