import type { FareClass } from '#contract/catalogue/schemas.ts';
import { AMOUNT_LIMIT } from '#contract/limits.ts';
import type { Vehicle } from '#contract/orders/buy/schemas.ts';
import { isOnWeekday } from '../time/days.ts';
import { type ChargeRules, getChargeRules } from '../trip-cards/card-charges.ts';
import { calculateDiscountLines, type Promo } from './discounts.ts';
import type {
  FareBook,
  FareRule,
  LineKind,
  Party,
  PricedLine,
  PricedParty,
  Refusal,
  SailingToPrice,
} from './fare-book.ts';
import type { LineItem } from './line-item.ts';
import { findTaxShares, splitTax, type TaxShare, taxAllAt, toTaxation } from './taxes.ts';
import { checkVehicle, getVehicleLengthCm } from './vehicles.ts';

/**
 * Prices a party on its sailings in one fare class, or returns why it cannot be sold. The lines add up to the total.
 */
export function priceParty(input: {
  sailings: readonly SailingToPrice[];
  party: Party;
  fareClass: string;
  book: FareBook;
  promo?: Promo | null;
}): PricedParty | Refusal {
  const { sailings, party, book } = input;
  const fareClass = book.fareClasses.find((each) => each.code === input.fareClass);
  if (!fareClass) return { ok: false, code: 'invalid_input', field: 'fare_class' };
  const refusal = checkParty(party, book);
  if (refusal) return refusal;

  const lines: PricedLine[] = [];
  for (const sailing of sailings) {
    const priced = priceSailing(sailing, party, fareClass, book);
    if ('ok' in priced) return priced;
    lines.push(...priced);
  }
  const subtotal = sumField(lines, 'amount');
  const charges = getChargeRules(book.currency);
  if (subtotal > charges.largest) return { ok: false, code: 'party_too_large' };

  if (input.promo) {
    const discounts = discountPayable(lines, sailings, input.promo, charges);
    if (discounts.length === 0) return { ok: false, code: 'promo_invalid', field: 'promo_code' };
    lines.push(...discounts);
  }
  const total = sumField(lines, 'amount');
  return {
    ok: true,
    lines,
    subtotal,
    discount: subtotal - total,
    tax: sumField(lines, 'tax'),
    total,
    currency: book.currency,
    fareClass,
  };
}

/** If the discount leaves less than a card can be charged, it covers everything, because the rest could not be paid. */
function discountPayable(
  lines: readonly PricedLine[],
  sailings: readonly SailingToPrice[],
  promo: Promo,
  { smallest, step }: ChargeRules,
): PricedLine[] {
  const discounts = calculateDiscountLines(lines, sailings, promo, step);
  const left = sumField(lines, 'amount') + sumField(discounts, 'amount');
  if (left === 0 || left >= smallest) return discounts;
  return calculateDiscountLines(lines, sailings, { ...promo, kind: 'amount', value: AMOUNT_LIMIT }, step);
}

/** Prices the party in the cheapest fare class that can be sold; the first refusal if none can. */
export function priceCheapest(input: {
  sailings: readonly SailingToPrice[];
  party: Party;
  book: FareBook;
  promo?: Promo | null;
}): PricedParty | Refusal {
  let best: PricedParty | Refusal = { ok: false, code: 'no_fare' };
  for (const { code } of input.book.fareClasses) {
    const priced = priceParty({ ...input, fareClass: code });
    if (priced.ok ? !best.ok || priced.total < best.total : !best.ok && best.code === 'no_fare')
      best = priced;
  }
  return best;
}

/**
 * The fare that applies to a sailing, kind, type and class: the highest priority among those valid on the service day.
 * Null if there is none or if two tie (the import refuses ties).
 */
export function findApplicableFare(
  fares: readonly FareRule[],
  criteria: {
    sailing: Pick<SailingToPrice, 'serviceDate' | 'route'>;
    fareClassId: string;
    kind: FareRule['kind'];
    typeId: string | null;
  },
): FareRule | null {
  const { sailing, kind, typeId } = criteria;
  let best: FareRule | null = null;
  let isTied = false;
  for (const fare of fares) {
    const type = kind === 'passenger' ? fare.passengerTypeId : kind === 'vehicle' ? fare.vehicleTypeId : null;
    const applies =
      fare.routeId === sailing.route.id &&
      fare.fareClassId === criteria.fareClassId &&
      fare.kind === kind &&
      type === typeId &&
      (fare.validFrom === null || fare.validFrom <= sailing.serviceDate) &&
      (fare.validUntil === null || fare.validUntil >= sailing.serviceDate) &&
      isOnWeekday(fare.weekdays, sailing.serviceDate);
    if (!applies) continue;
    if (best && fare.priority === best.priority) isTied = true;
    if (!best || fare.priority > best.priority) {
      best = fare;
      isTied = false;
    }
  }
  return isTied ? null : best;
}

/** What a vehicle costs on a sailing, without its driver, or why it cannot be taken. */
export function priceVehicle(
  vehicle: Vehicle,
  { sailing, fareClassId, book }: { sailing: SailingToPrice; fareClassId: string; book: FareBook },
): { type: FareBook['vehicleTypes'][number]; amount: number; taxBp: number } | Refusal {
  const type = book.vehicleTypes.find((each) => each.code === vehicle.type);
  if (!type) return { ok: false, code: 'invalid_input', field: 'vehicle.type' };
  const refusal = checkVehicle(vehicle, type, sailing);
  if (refusal) return refusal;
  const fare = findApplicableFare(book.fares, { sailing, fareClassId, kind: 'vehicle', typeId: type.id });
  if (!fare) return { ok: false, code: 'no_fare', field: 'vehicle' };
  const amount = vehicleAmount(fare, getVehicleLengthCm(vehicle, type));
  if (amount === null) return { ok: false, code: 'vehicle_too_long', field: 'vehicle.length_cm' };
  return { type, amount, taxBp: fare.taxBp };
}

/** Number of people, infants included. */
export function countPassengers(party: Pick<Party, 'passengers'>): number {
  return party.passengers.reduce((sum, { count }) => sum + count, 0);
}

function checkParty(party: Party, book: FareBook): Refusal | null {
  const people = countPassengers(party);
  const types = new Map(book.passengerTypes.map((type) => [type.code, type]));
  for (const [index, { type }] of party.passengers.entries()) {
    if (!types.has(type)) return { ok: false, code: 'invalid_input', field: `passengers.${index}.type` };
  }
  if (people === 0) return { ok: false, code: 'no_passengers', field: 'passengers' };
  const limit = book.maxParty;
  if (people > limit || party.bicycles > limit) {
    return { ok: false, code: 'party_too_large', field: people > limit ? 'passengers' : 'bicycles' };
  }
  const travelling = party.passengers.filter(({ count }) => count > 0).map(({ type }) => types.get(type));
  if (travelling.every((type) => type?.needsAdult)) {
    return { ok: false, code: 'needs_adult', field: 'passengers' };
  }
  return null;
}

function priceSailing(
  sailing: SailingToPrice,
  party: Party,
  fareClass: FareClass,
  book: FareBook,
): PricedLine[] | Refusal {
  const find = (kind: FareRule['kind'], typeId: string | null) =>
    findApplicableFare(book.fares, { sailing, fareClassId: fareClass.id, kind, typeId });
  const findShares = (product: FareRule['kind'], taxBp: number): TaxShare[] =>
    findTaxShares(book.taxes, { routeId: sailing.route.id, product, day: sailing.serviceDate }) ??
    taxAllAt(taxBp);
  const line = (
    kind: FareRule['kind'],
    item: LineItem,
    type: { code: string; name: string } | null,
    quantity: number,
    unitAmount: number,
    taxBp: number,
  ): PricedLine => {
    const amount = unitAmount * quantity;
    const { leg, sailingId } = sailing;
    const typed = { typeCode: type?.code ?? null, item, description: type?.name ?? '' };
    const taxation = toTaxation(splitTax(amount, findShares(kind, taxBp)));
    return { leg, sailingId, kind, ...typed, quantity, unitAmount, amount, ...taxation };
  };

  const lines: PricedLine[] = [];
  let driverTypeId: string | null = null;
  if (party.vehicle) {
    const priced = priceVehicle(party.vehicle, { sailing, fareClassId: fareClass.id, book });
    if ('ok' in priced) return priced;
    const { type, amount, taxBp } = priced;
    const item = party.vehicle.trailer_cm ? 'vehicle_with_trailer' : 'vehicle';
    lines.push(line('vehicle', item, type, 1, amount, taxBp));
    driverTypeId = type.includedDriverTypeId;
  }

  for (const type of book.passengerTypes) {
    const count = countPassengers({ passengers: party.passengers.filter((each) => each.type === type.code) });
    if (count === 0) continue;
    const fare = find('passenger', type.id);
    if (!fare) return { ok: false, code: 'no_fare', field: 'passengers' };
    const drivers = type.id === driverTypeId ? 1 : 0;
    if (count > drivers) {
      lines.push(line('passenger', 'passenger', type, count - drivers, fare.amount, fare.taxBp));
    }
    if (drivers > 0) lines.push(line('passenger', 'driver', type, 1, 0, fare.taxBp));
  }

  if (party.bicycles > 0) {
    if (!sailing.route.carriesBicycles) return { ok: false, code: 'bicycles_not_carried', field: 'bicycles' };
    const fare = find('bicycle', null);
    if (!fare) return { ok: false, code: 'no_fare', field: 'bicycles' };
    lines.push(line('bicycle', 'bicycle', null, party.bicycles, fare.amount, fare.taxBp));
  }
  return lines.sort((a, b) => KIND_ORDER.indexOf(a.kind) - KIND_ORDER.indexOf(b.kind));
}

const KIND_ORDER: readonly LineKind[] = ['passenger', 'vehicle', 'bicycle', 'fee', 'discount'];

/** Base amount plus the step amount for every started step above the base length; null: the fare does not cover it. */
function vehicleAmount(fare: FareRule, lengthCm: number): number | null {
  if (fare.baseCm === null || lengthCm <= fare.baseCm) return fare.amount;
  if (!fare.stepCm || fare.stepAmount === null) return null;
  return fare.amount + Math.ceil((lengthCm - fare.baseCm) / fare.stepCm) * fare.stepAmount;
}

function sumField(lines: readonly PricedLine[], field: 'amount' | 'tax'): number {
  return lines.reduce((sum, line) => sum + line[field], 0);
}
