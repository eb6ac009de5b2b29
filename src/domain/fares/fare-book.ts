import type { FareClass } from '#contract/catalogue/schemas.ts';
import type { ErrorCode } from '#contract/errors.ts';
import type { LegName } from '#contract/orders/buy/legs.ts';
import type { LINE_KINDS, Vehicle } from '#contract/orders/buy/schemas.ts';
import type { LineItem } from './line-item.ts';
import type { Taxation, TaxRule } from './taxes.ts';

/* Types shared by the rules of fares, discounts and vehicles: the input of pricing and its result. */

export type LineKind = (typeof LINE_KINDS)[number];

/** A published fare as used by pricing. Lengths in centimetres, amounts in minor units including tax. */
export type FareRule = {
  id: string;
  routeId: string;
  fareClassId: string;
  kind: 'passenger' | 'vehicle' | 'bicycle';
  passengerTypeId: string | null;
  vehicleTypeId: string | null;
  /** First and last service day, `YYYY-MM-DD`. */
  validFrom: string | null;
  validUntil: string | null;
  /** Bit 0 = Monday … bit 6 = Sunday of the service day. */
  weekdays: number;
  amount: number;
  baseCm: number | null;
  stepCm: number | null;
  stepAmount: number | null;
  /** Where no tax rule applies. */
  taxBp: number;
  priority: number;
};

/** Requirements and limits of a vehicle type; lengths in centimetres. */
export type VehicleRules = {
  lengthRequired: boolean;
  heightRequired: boolean;
  minLengthCm: number | null;
  maxLengthCm: number | null;
  maxHeightCm: number | null;
  /** The length used if the customer is not asked for it. */
  fixedLaneCm: number | null;
  allowsTrailer: boolean;
};

export type PassengerTypeRules = { id: string; code: string; name: string; needsAdult: boolean };
export type VehicleTypeRules = VehicleRules & {
  id: string;
  code: string;
  name: string;
  includedDriverTypeId: string | null;
};

/** The input of pricing. One currency, because an order cannot mix two. */
export type FareBook = {
  currency: string;
  maxParty: number;
  passengerTypes: readonly PassengerTypeRules[];
  vehicleTypes: readonly VehicleTypeRules[];
  fareClasses: readonly FareClass[];
  fares: readonly FareRule[];
  taxes: readonly TaxRule[];
};

/** A sailing as used by pricing. */
export type SailingToPrice = {
  leg: LegName;
  sailingId: string;
  /** The operator's day, `YYYY-MM-DD`, which decides the valid fares. */
  serviceDate: string;
  route: {
    id: string;
    code: string;
    carriesVehicles: boolean;
    carriesBicycles: boolean;
    maxVehicleLengthCm: number | null;
    maxVehicleHeightCm: number | null;
  };
  vessel: { normalClearanceCm: number | null; tallClearanceCm: number | null };
};

/** The passengers, vehicle and bicycles; the same on each leg. */
export type Party = {
  passengers: readonly { type: string; count: number }[];
  vehicle: Vehicle | null;
  bicycles: number;
};

export type PricedLine = Taxation & {
  leg: LegName;
  sailingId: string;
  kind: LineKind;
  typeCode: string | null;
  item: LineItem | null;
  description: string;
  quantity: number;
  unitAmount: number;
  /** quantity × unitAmount; negative for a discount. */
  amount: number;
};

export type PricedParty = {
  ok: true;
  lines: PricedLine[];
  subtotal: number;
  /** Positive: the promo code's discount. */
  discount: number;
  tax: number;
  /** subtotal − discount. */
  total: number;
  currency: string;
  fareClass: FareClass;
};

/** Why a party cannot be priced: an error code of the contract, and the request's field if one caused it. */
export type Refusal = { ok: false; code: ErrorCode; field?: string };
