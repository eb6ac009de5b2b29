import type { AutoTopUp, MoneyCard, PassCard, TopUp, TripCardEntry } from '#contract/trip-cards/schemas.ts';

export const CARD_ID = 'tcd_00000000000000000000000001';
export const OTHER_ID = 'tcd_00000000000000000000000002';
export const NOW = new Date(2026, 5, 5, 14, 2);

/** An instant some minutes before the tests' current time. */
export function minutesAgo(minutes: number): string {
  return new Date(NOW.getTime() - minutes * 60_000).toISOString();
}

/** A trip card as the API returns it to its owner. */
export function buildTripCard(over: Partial<MoneyCard> = {}): MoneyCard {
  return {
    id: CARD_ID,
    number: '9605947053453280',
    last_four: '3280',
    name: 'Family card',
    role: 'owner',
    status: 'active',
    currency: 'USD',
    balance: 3450,
    held: 0,
    available: 3450,
    owed: 0,
    as_of: minutesAgo(0),
    version: 3,
    low_balance_at: null,
    auto_top_up: null,
    last_used_at: null,
    replaces_card_id: null,
    replaced_by_card_id: null,
    shared_with: [],
    inserted_at: minutesAgo(9000),
    ...over,
  };
}

/** A pass with trips, as the API returns it to its owner. */
export function buildPass(over: Partial<PassCard> = {}): PassCard {
  const { currency: _, ...card } = buildTripCard({ name: '10-trip pass', balance: 10, available: 10 });
  return {
    ...card,
    unit: 'trips',
    auto_top_up: null,
    pass: {
      ...{ code: 'ten_trips', name: '10-trip pass', summary: 'Ten crossings.', trips: 10 },
      ...{ price: 7400, currency: 'USD', lines: ['madrona-heron'], line_names: ['Sound'] },
      ...{ passenger_types: null, passenger_names: [], vehicle_type: null, vehicle_name: null },
      ...{ valid_days: 365, valid_from: 'purchase' },
    },
    valid_until: '2027-06-05',
    expires_at: '2027-06-06T07:00:00.000Z',
    ...over,
  };
}

/** The automatic top-up of a card below a balance of 10.00. */
export function buildAutoTopUp(over: Partial<AutoTopUp> = {}): AutoTopUp {
  return {
    threshold: 1000,
    amount: 2000,
    payment_card_id: 'pcd_1',
    max_per_day: 1,
    state: 'ok',
    next_try_at: null,
    ...over,
  };
}

export function buildEntry(seq: number, over: Partial<TripCardEntry> = {}): TripCardEntry {
  return {
    id: `ent_${String(seq).padStart(26, '0')}`,
    seq,
    kind: 'fare',
    amount: -850,
    balance_after: 3450,
    description: `Crossing ${seq}`,
    place: null,
    order_id: null,
    top_up_id: null,
    transfer_id: null,
    actor: 'device',
    occurred_at: minutesAgo(10),
    inserted_at: minutesAgo(10),
    ...over,
  };
}

export function buildTopUp(over: Partial<TopUp> = {}): TopUp {
  return {
    id: 'top_00000000000000000000000001',
    trip_card_id: CARD_ID,
    seq: 1,
    amount: 2000,
    currency: 'USD',
    trigger: 'manual',
    payment_card_id: null,
    status: 'succeeded',
    failure: null,
    receipt_number: 'K7M4-QXPA',
    inserted_at: minutesAgo(10),
    completed_at: minutesAgo(9),
    ...over,
  };
}
