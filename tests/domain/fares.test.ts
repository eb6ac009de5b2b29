import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Promo } from '#domain/fares/discounts.ts';
import type { FareBook, FareRule, Party, PricedParty, SailingToPrice } from '#domain/fares/fare-book.ts';
import { findApplicableFare, priceCheapest, priceParty } from '#domain/fares/fares.ts';

const policy = {
  change: { allowed: false, fee: 0, until_minutes: 0 },
  cancel: [],
  no_show: 'forfeit' as const,
};

function buildFare(fare: Partial<FareRule>): FareRule {
  return {
    id: 'fare',
    routeId: 'out',
    fareClassId: 'flex',
    kind: 'passenger',
    passengerTypeId: null,
    vehicleTypeId: null,
    validFrom: null,
    validUntil: null,
    weekdays: 127,
    amount: 1000,
    baseCm: null,
    stepCm: null,
    stepAmount: null,
    taxBp: 0,
    priority: 0,
    ...fare,
  };
}

const book: FareBook = {
  currency: 'USD',
  maxParty: 12,
  passengerTypes: [
    { id: 'adult', code: 'adult', name: 'Adult', needsAdult: false },
    { id: 'child', code: 'child', name: 'Child', needsAdult: true },
  ],
  vehicleTypes: [
    {
      id: 'car',
      code: 'car',
      name: 'Car',
      lengthRequired: true,
      heightRequired: false,
      minLengthCm: 200,
      maxLengthCm: 1000,
      maxHeightCm: null,
      fixedLaneCm: null,
      allowsTrailer: true,
      includedDriverTypeId: 'adult',
    },
    {
      id: 'motorcycle',
      code: 'motorcycle',
      name: 'Motorcycle',
      lengthRequired: false,
      heightRequired: false,
      minLengthCm: null,
      maxLengthCm: null,
      maxHeightCm: null,
      fixedLaneCm: 100,
      allowsTrailer: false,
      includedDriverTypeId: null,
    },
  ],
  fareClasses: [
    { id: 'flex', code: 'flex', name: 'Flex', summary: '', policy },
    { id: 'saver', code: 'saver', name: 'Saver', summary: '', policy },
  ],
  taxes: [],
  fares: ['out', 'back'].flatMap((routeId) => [
    buildFare({ routeId, passengerTypeId: 'adult', amount: 1275, taxBp: 1000 }),
    buildFare({ routeId, passengerTypeId: 'child', amount: 500, taxBp: 1000 }),
    buildFare({
      routeId,
      kind: 'vehicle',
      vehicleTypeId: 'car',
      amount: 3000,
      baseCm: 500,
      stepCm: 50,
      stepAmount: 250,
      taxBp: 2000,
    }),
    buildFare({ routeId, kind: 'vehicle', vehicleTypeId: 'motorcycle', amount: 900 }),
    buildFare({ routeId, kind: 'bicycle', amount: 300 }),
    buildFare({ routeId, fareClassId: 'saver', passengerTypeId: 'adult', amount: 900 }),
  ]),
};

function buildSailing(
  leg: 'out' | 'back' = 'out',
  route: Partial<SailingToPrice['route']> = {},
): SailingToPrice {
  return {
    leg,
    sailingId: `sailing ${leg}`,
    serviceDate: '2026-06-01',
    route: {
      id: leg,
      code: leg,
      carriesVehicles: true,
      carriesBicycles: true,
      maxVehicleLengthCm: 900,
      maxVehicleHeightCm: null,
      ...route,
    },
    vessel: { normalClearanceCm: 220, tallClearanceCm: 420 },
  };
}

const party = (adults: number, more: Partial<Party> = {}): Party => ({
  passengers: [{ type: 'adult', count: adults }],
  vehicle: null,
  bicycles: 0,
  ...more,
});

const price = (wanted: Party, sailings = [buildSailing()], promo: Promo | null = null, fareClass = 'flex') =>
  priceParty({ sailings, party: wanted, fareClass, book, promo });

function must(priced: ReturnType<typeof priceParty>): PricedParty {
  if (!priced.ok) throw new Error(priced.code);
  return priced;
}
const codeOf = (priced: ReturnType<typeof priceParty>) => (priced.ok ? 'ok' : priced.code);

test('the fare with the highest priority among those valid on the service day wins', () => {
  const wanted = {
    sailing: buildSailing(),
    fareClassId: 'flex',
    kind: 'passenger' as const,
    typeId: 'adult',
  };
  const rules = [
    buildFare({ id: 'always', passengerTypeId: 'adult' }),
    buildFare({ id: 'mondays', passengerTypeId: 'adult', weekdays: 1, priority: 1 }),
    buildFare({ id: 'weekends', passengerTypeId: 'adult', weekdays: 96, priority: 9 }),
    buildFare({
      id: 'july',
      passengerTypeId: 'adult',
      validFrom: '2026-07-01',
      validUntil: '2026-07-31',
      priority: 9,
    }),
    buildFare({ id: 'other class', passengerTypeId: 'adult', fareClassId: 'saver', priority: 9 }),
    buildFare({ id: 'other route', passengerTypeId: 'adult', routeId: 'back', priority: 9 }),
  ];
  expect(findApplicableFare(rules, wanted)?.id).toBe('mondays');
  expect(findApplicableFare(rules.toReversed(), wanted)?.id).toBe('mondays');
  const july = { ...wanted, sailing: { ...buildSailing(), serviceDate: '2026-07-31' } };
  expect(findApplicableFare(rules, july)?.id).toBe('july');
});

test('two fares with the same priority give no price', () => {
  const wanted = { sailing: buildSailing(), fareClassId: 'flex', kind: 'bicycle' as const, typeId: null };
  const tie = [buildFare({ kind: 'bicycle', amount: 1 }), buildFare({ kind: 'bicycle', amount: 2 })];
  expect(findApplicableFare(tie, wanted)).toBeNull();
  expect(findApplicableFare([...tie, buildFare({ kind: 'bicycle', priority: 1 })], wanted)?.priority).toBe(1);
});

test.for([
  [500, 3000],
  [501, 3250],
  [550, 3250],
  [551, 3500],
  [900, 5000],
] as const)('a car of %i cm costs %i, with every started length step', ([length, amount]) => {
  const priced = must(price(party(1, { vehicle: { type: 'car', length_cm: length } })));
  expect(priced.total).toBe(amount);
});

test('a trailer is priced with the car and named by its line', () => {
  const priced = must(price(party(1, { vehicle: { type: 'car', length_cm: 450, trailer_cm: 250 } })));
  expect(priced.lines.map(({ item, description, amount }) => [item, description, amount])).toEqual([
    ['driver', 'Adult', 0],
    ['vehicle_with_trailer', 'Car', 4000],
  ]);
});

test('the vehicle’s fare includes one driver, and everyone else pays', () => {
  const priced = must(price(party(3, { vehicle: { type: 'car', length_cm: 400 } })));
  expect(priced.total).toBe(3000 + 2 * 1275);
  expect(must(price(party(2, { vehicle: { type: 'motorcycle' } }))).total).toBe(900 + 2 * 1275);
});

test('a party that cannot be sold is refused with a specific code', () => {
  const car = { type: 'car', length_cm: 400 };
  expect(codeOf(price(party(0)))).toBe('no_passengers');
  expect(codeOf(price(party(13)))).toBe('party_too_large');
  expect(codeOf(price(party(1, { bicycles: 13 })))).toBe('party_too_large');
  expect(codeOf(price({ ...party(0), passengers: [{ type: 'child', count: 1 }] }))).toBe('needs_adult');
  expect(codeOf(price(party(1), [buildSailing()], null, 'gold'))).toBe('invalid_input');
  expect(codeOf(price(party(1, { vehicle: car }), [buildSailing('out', { carriesVehicles: false })]))).toBe(
    'vehicles_not_carried',
  );
  expect(codeOf(price(party(1, { bicycles: 1 }), [buildSailing('out', { carriesBicycles: false })]))).toBe(
    'bicycles_not_carried',
  );
  expect(codeOf(price(party(1, { vehicle: { ...car, length_cm: 901 } })))).toBe('vehicle_too_long');
  expect(codeOf(price(party(1, { vehicle: { ...car, trailer_cm: 501 } })))).toBe('vehicle_too_long');
  expect(codeOf(price(party(1, { vehicle: { ...car, height_cm: 421 } })))).toBe('vehicle_too_high');
  expect(codeOf(price(party(1, { vehicle: { type: 'car' } })))).toBe('invalid_input');
  expect(codeOf(price(party(1, { vehicle: { type: 'car', length_cm: 199 } })))).toBe('invalid_input');
  expect(codeOf(price(party(1, { vehicle: { type: 'motorcycle', trailer_cm: 100 } })))).toBe('invalid_input');
  expect(
    codeOf(
      price(
        {
          ...party(1),
          passengers: [
            { type: 'adult', count: 1 },
            { type: 'child', count: 1 },
          ],
        },
        [buildSailing()],
        null,
        'saver',
      ),
    ),
  ).toBe('no_fare');
});

test('a total that no card can be charged is refused', () => {
  const dear = { ...book, fares: [buildFare({ passengerTypeId: 'adult', amount: 9_999_999 })] };
  const wanted = { sailings: [buildSailing()], fareClass: 'flex', book: dear };
  expect(codeOf(priceParty({ ...wanted, party: party(11) }))).toBe('party_too_large');
  expect(codeOf(priceParty({ ...wanted, party: party(10) }))).toBe('ok');
});

test('the cheapest class that can be sold is found', () => {
  const input = { sailings: [buildSailing()], book };
  expect(priceCheapest({ ...input, party: party(1) })).toMatchObject({
    total: 900,
    fareClass: { code: 'saver' },
  });
  expect(priceCheapest({ ...input, party: party(1, { bicycles: 1 }) })).toMatchObject({
    total: 1575,
    fareClass: { code: 'flex' },
  });
  expect(priceCheapest({ ...input, party: party(0) })).toMatchObject({ ok: false, code: 'no_passengers' });
});

test('a promo code for one route gives a discount on that route only', () => {
  const promo: Promo = { code: 'OUT', kind: 'percent_bp', value: 1000, routeCodes: ['out'] };
  const both = must(price(party(2), [buildSailing('out'), buildSailing('back')], promo));
  expect(both).toMatchObject({ subtotal: 5100, discount: 255, total: 4845 });
  expect(codeOf(price(party(2), [buildSailing('back')], promo))).toBe('promo_invalid');
});

test('a promo code leaves zero or an amount that a card can be charged', () => {
  const full = must(price(party(1))).total;
  const leftBy = (value: number) => {
    const promo: Promo = { code: 'OFF', kind: 'amount', value, routeCodes: null };
    return must(price(party(1), [buildSailing()], promo)).total;
  };
  expect([leftBy(full - 50), leftBy(full - 49), leftBy(full - 1), leftBy(full)]).toEqual([50, 0, 0, 0]);
});

const anyParty = fc.record({
  adults: fc.integer({ min: 1, max: 6 }),
  children: fc.integer({ min: 0, max: 6 }),
  bicycles: fc.integer({ min: 0, max: 6 }),
  length: fc.option(fc.integer({ min: 200, max: 900 })),
  isReturn: fc.boolean(),
});
const anyPromo: fc.Arbitrary<Promo | null> = fc.option(
  fc.oneof(
    fc.record({
      code: fc.constant('P'),
      kind: fc.constant('percent_bp' as const),
      value: fc.integer({ min: 0, max: 20_000 }),
      routeCodes: fc.constant(null),
    }),
    fc.record({
      code: fc.constant('A'),
      kind: fc.constant('amount' as const),
      value: fc.integer({ min: 0, max: 100_000 }),
      routeCodes: fc.constant(null),
    }),
  ),
);

test('lines always add up to the total, the tax and the discount, in whole minor units and never below zero', () => {
  void fc.assert(
    fc.property(anyParty, anyPromo, (trip, promo) => {
      const sailings = trip.isReturn ? [buildSailing('out'), buildSailing('back')] : [buildSailing()];
      const priced = must(
        price(
          {
            passengers: [
              { type: 'adult', count: trip.adults },
              { type: 'child', count: trip.children },
            ],
            vehicle: trip.length === null ? null : { type: 'car', length_cm: trip.length },
            bicycles: trip.bicycles,
          },
          sailings,
          promo,
        ),
      );
      const sum = (field: 'amount' | 'tax', lines = priced.lines) =>
        lines.reduce((total, line) => total + line[field], 0);
      const sold = priced.lines.filter(({ kind }) => kind !== 'discount');
      expect(priced.total).toBe(sum('amount'));
      expect(priced.subtotal).toBe(sum('amount', sold));
      expect(priced.discount).toBe(priced.subtotal - priced.total);
      expect(priced.tax).toBe(sum('tax'));
      expect(priced.total).toBeGreaterThanOrEqual(0);
      expect(priced.tax).toBeGreaterThanOrEqual(0);
      for (const line of priced.lines) {
        expect(line.amount).toBe(line.quantity * line.unitAmount);
        expect(Number.isSafeInteger(line.amount) && Number.isSafeInteger(line.tax)).toBe(true);
      }
      const people = sold.filter(({ kind, leg }) => kind === 'passenger' && leg === 'out');
      expect(people.reduce((total, { quantity }) => total + quantity, 0)).toBe(trip.adults + trip.children);
    }),
  );
});
