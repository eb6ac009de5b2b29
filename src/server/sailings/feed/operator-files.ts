import type { FarePolicy } from '#contract/catalogue/schemas.ts';
import { VEHICLE_SIZE_LIMITS } from '#contract/limits.ts';
import { PARTY_LIMIT } from '#contract/orders/buy/schemas.ts';
import { findCardCurrency } from '#contract/payments/card-currencies.ts';
import { getCurrencyExponent } from '#domain/fares/money.ts';
import { LONGEST_CHANGE_MINUTES } from '#domain/sailings/connections.ts';
import type { Translations } from '#messages/translations.ts';
import type { Row } from '#server/csv/table.ts';
import type { fareClasses, passengerTypes, routes, vehicleTypes } from '#server/database/schema/timetable.ts';
import { type PictureColumns, readPictureColumns } from '../pictures/picture-files.ts';
import { type FeedInput, readFeedTable } from './feed-tables.ts';
import { addUnique, CM, type Planned, typeCode } from './keyed-rows.ts';
import { getMoneyStep, isChargeable, readMoney } from './prices/read-money.ts';
import { type Assignment, readAssignments, readVessels, type Vessel } from './vessel-files.ts';

export type PassengerType = Planned<typeof passengerTypes>;
export type VehicleType = Omit<Planned<typeof vehicleTypes>, 'includedDriverTypeId'> & {
  includedDriver: string | null;
};
export type FareClass = Planned<typeof fareClasses>;
/** Null: what the trips allow. */
export type RouteRules = Record<'carriesVehicles' | 'carriesBicycles', boolean | null> &
  Pick<
    Planned<typeof routes>,
    | 'salesCloseMinutes'
    | 'checkInOpenMinutes'
    | 'checkInCloseMinutesFoot'
    | 'checkInCloseMinutesVehicle'
    | 'maxVehicleLengthCm'
    | 'maxVehicleHeightCm'
    | 'needsPassengerList'
  >;

/** `transferMinutes`: to change boats, at ports that ports.csv does not say otherwise; null: no changes are sold. */
type OperatorCsv = {
  currency: string;
  maxParty: number;
  transferMinutes: number | null;
  choiceHours: number;
  choiceDelayMinutes: number;
  assistanceNoticeHours: number | null;
};

/** Keyed by code or, for ports and route rules, by the id in the GTFS files. */
export type OperatorFiles = OperatorCsv & {
  ports: Map<string, OperatorPort>;
  vessels: Map<string, Vessel>;
  assignments: Assignment[];
  routeRules: Map<string, { row: Row; rules: RouteRules }>;
  passengerTypes: Map<string, PassengerType>;
  vehicleTypes: Map<string, VehicleType>;
  fareClasses: Map<string, FareClass>;
};
/** `transferMinutes` undefined: as operator.csv and transfers.txt say. */
type OperatorPort = PictureColumns & {
  row: Row;
  code: string;
  address: string;
  facilities: string;
  parking: string;
  directions: string;
  stepFree: StepFree | null;
  transferMinutes: number | null | undefined;
  translations: Translations;
};
type StepFree = (typeof STEP_FREE)[number];

const STEP_FREE = ['yes', 'no', 'partly', 'unknown'] as const;
const USUAL_CHANGE_MINUTES = 20;

/** Default for a route that route_rules.csv does not list. */
export const defaultRouteRules: RouteRules = {
  carriesVehicles: null,
  carriesBicycles: null,
  salesCloseMinutes: 10,
  checkInOpenMinutes: 60,
  checkInCloseMinutesFoot: 10,
  checkInCloseMinutesVehicle: 20,
  maxVehicleLengthCm: null,
  maxVehicleHeightCm: null,
  needsPassengerList: false,
};

/**
 * Reads the operator's own files beside the GTFS feed, except prices. docs/timetable.md describes their columns and what
 * applies without them.
 */
export function readOperatorFiles(source: FeedInput): OperatorFiles {
  const operatorCsv = readOperatorCsv(source);
  const vessels = readVessels(source);
  const passengerTypes = readPassengerTypes(source);
  return {
    ...operatorCsv,
    ports: readPorts(source),
    vessels,
    assignments: readAssignments(source, vessels),
    routeRules: readRouteRules(source),
    passengerTypes,
    vehicleTypes: readVehicleTypes(source, passengerTypes),
    fareClasses: readFareClasses(source, operatorCsv.currency),
  };
}

function readOperatorCsv(source: FeedInput): OperatorCsv {
  const [row, second] = readFeedTable(source, 'operator.csv');
  second?.problem(null, 'The file has one line below its header.');
  if (!row) return OPERATOR_CSV_DEFAULTS;
  const currency = row.required('currency');
  if (currency !== '' && !isCurrency(currency)) {
    row.problem('currency', `"${currency}" is not a currency's three letters.`);
  } else if (currency !== '' && !findCardCurrency(currency)) {
    row.problem('currency', `Payment cards cannot be charged in ${currency}.`);
  }
  return {
    currency: isCurrency(currency) ? currency : 'USD',
    maxParty: row.int('max_party', { min: 1, max: PARTY_LIMIT }) ?? 9,
    transferMinutes: readTransferMinutes(row, USUAL_CHANGE_MINUTES),
    choiceHours: row.int('choice_hours', { min: 1, max: 720 }) ?? OPERATOR_CSV_DEFAULTS.choiceHours,
    choiceDelayMinutes:
      row.int('choice_delay_minutes', { min: 1, max: 1440 }) ?? OPERATOR_CSV_DEFAULTS.choiceDelayMinutes,
    assistanceNoticeHours: row.int('assistance_notice_hours', { max: 720 }),
  };
}

const OPERATOR_CSV_DEFAULTS = {
  ...{ currency: 'USD', maxParty: 9, transferMinutes: USUAL_CHANGE_MINUTES },
  ...{ choiceHours: 72, choiceDelayMinutes: 90, assistanceNoticeHours: null },
};

function isCurrency(text: string): boolean {
  return /^[A-Z]{3}$/.test(text) && Intl.supportedValuesOf('currency').includes(text);
}

function readPorts(source: FeedInput): OperatorFiles['ports'] {
  const ports: OperatorFiles['ports'] = new Map();
  for (const row of readFeedTable(source, 'ports.csv')) {
    const code = row.text('code');
    if (code !== '' && !/^[A-Z0-9]{2,8}$/.test(code)) {
      row.problem('code', 'A port code is 2 to 8 capital letters or digits.');
    }
    const stepFree = row.oneOf('step_free', STEP_FREE, null);
    const transferMinutes = readTransferMinutes(row, undefined);
    addUnique(ports, row, 'stop_id', {
      ...{ row, code, stepFree, transferMinutes },
      address: row.text('address'),
      facilities: row.text('facilities'),
      parking: row.text('parking'),
      directions: row.text('directions'),
      ...readPictureColumns(row, source.files),
      translations: row.translations(),
    });
  }
  return ports;
}

/** Minutes, or null for "no": no changes are sold. Empty: the fallback. */
function readTransferMinutes<Fallback>(row: Row, fallback: Fallback): number | null | Fallback {
  const text = row.text('transfer_minutes');
  if (text === 'no') return null;
  if (text === '') return fallback;
  return row.int('transfer_minutes', { min: 1, max: LONGEST_CHANGE_MINUTES }) ?? fallback;
}

function readRouteRules(source: FeedInput): OperatorFiles['routeRules'] {
  const rules: OperatorFiles['routeRules'] = new Map();
  for (const row of readFeedTable(source, 'route_rules.csv')) {
    const minutesOr = (column: string, fallback: number) => row.int(column, { max: 10_080 }) ?? fallback;
    const standard = defaultRouteRules;
    addUnique(rules, row, 'route_id', {
      row,
      rules: {
        carriesVehicles: row.flag('carries_vehicles', null),
        carriesBicycles: row.flag('carries_bicycles', null),
        salesCloseMinutes: minutesOr('sales_close_minutes', standard.salesCloseMinutes),
        checkInOpenMinutes: minutesOr('check_in_open_minutes', standard.checkInOpenMinutes),
        checkInCloseMinutesFoot: minutesOr('check_in_close_minutes_foot', standard.checkInCloseMinutesFoot),
        checkInCloseMinutesVehicle: minutesOr(
          'check_in_close_minutes_vehicle',
          standard.checkInCloseMinutesVehicle,
        ),
        maxVehicleLengthCm: row.int('max_vehicle_length_cm', CM),
        maxVehicleHeightCm: row.int('max_vehicle_height_cm', CM),
        needsPassengerList: row.flag('needs_passenger_list', false),
      },
    });
  }
  return rules;
}

function readPassengerTypes(source: FeedInput): Map<string, PassengerType> {
  const types = new Map<string, PassengerType>();
  const rows = readFeedTable(source, 'passenger_types.csv');
  for (const [sort, row] of rows.entries()) {
    const ageMin = row.int('age_min', { max: 130 });
    const ageMax = row.int('age_max', { max: 130 });
    if (ageMin !== null && ageMax !== null && ageMax < ageMin) row.problem('age_max', 'Less than age_min.');
    const isDefault = row.flag('is_default', false);
    if (isDefault && [...types.values()].some((type) => type.isDefault)) {
      row.problem('is_default', 'Another type is the default already.');
    }
    addUnique(types, row, 'code', {
      code: typeCode(row),
      name: row.required('name'),
      ageMin,
      ageMax,
      usesSeat: row.flag('uses_seat', true),
      requiresProof: row.flag('requires_proof', false),
      needsAdult: row.flag('needs_adult', false),
      isDefault,
      sort,
      translations: row.translations(),
    });
  }
  if (types.size === 0) types.set('adult', adult);
  const [first] = types.values();
  if (first && ![...types.values()].some((type) => type.isDefault)) {
    const travelsAlone = [...types.values()].find((type) => !type.needsAdult) ?? first;
    types.set(travelsAlone.code, { ...travelsAlone, isDefault: true });
  }
  return types;
}

const adult: PassengerType = {
  code: 'adult',
  name: 'Adult',
  ageMin: null,
  ageMax: null,
  usesSeat: true,
  requiresProof: false,
  needsAdult: false,
  isDefault: true,
  sort: 0,
  translations: {},
};

function readVehicleTypes(
  source: FeedInput,
  passengerTypes: ReadonlyMap<string, PassengerType>,
): Map<string, VehicleType> {
  const types = new Map<string, VehicleType>();
  const rows = readFeedTable(source, 'vehicle_types.csv');
  for (const [sort, row] of rows.entries()) {
    const lengthRequired = row.flag('length_required', false);
    const fixedLaneCm = row.int('fixed_lane_cm', CM);
    if (!lengthRequired && fixedLaneCm === null) {
      row.problem('fixed_lane_cm', 'Needed when the length is not asked: the lane such a vehicle takes.');
    }
    const includedDriver = row.text('included_driver') || null;
    if (includedDriver && !passengerTypes.has(includedDriver)) {
      row.problem('included_driver', `There is no passenger type ${includedDriver}.`);
    }
    addUnique(types, row, 'code', {
      code: typeCode(row),
      name: row.required('name'),
      lengthRequired,
      heightRequired: row.flag('height_required', false),
      minLengthCm: row.int('min_length_cm', { min: 1, max: VEHICLE_SIZE_LIMITS.length }),
      maxLengthCm: row.int('max_length_cm', CM),
      maxHeightCm: row.int('max_height_cm', CM),
      fixedLaneCm,
      gapCm: row.int('gap_cm', { max: 1000 }) ?? 50,
      includedDriver,
      plateRequired: row.flag('plate_required', true),
      allowsTrailer: row.flag('allows_trailer', false),
      sort,
      translations: row.translations(),
    });
  }
  return types;
}

function readFareClasses(source: FeedInput, currency: string): Map<string, FareClass> {
  const classes = new Map<string, FareClass>();
  const rows = readFeedTable(source, 'fare_classes.csv');
  for (const [sort, row] of rows.entries()) {
    const openTicketDays = row.int('open_ticket_days', { min: 1, max: 366 });
    addUnique(classes, row, 'code', {
      code: typeCode(row),
      name: row.required('name'),
      summary: row.text('summary'),
      policy: {
        change: {
          allowed: row.flag('change_allowed', false),
          fee: readMoney(row, 'change_fee', currency) ?? 0,
          until_minutes: row.int('change_until_minutes') ?? 0,
        },
        cancel: readTiers(row, currency),
        no_show: row.oneOf('no_show', ['forfeit', 'travel_next_same_day'], 'forfeit'),
        refund_to: row.oneOf('refund_to', ['original', 'trip_card'], 'original'),
        ...(openTicketDays === null ? {} : { open_ticket_days: openTicketDays }),
      },
      sort,
      translations: row.translations(),
    });
  }
  if (!source.files.has('fare_classes.csv')) classes.set('standard', standardClass);
  return classes;
}

const standardClass: FareClass = {
  code: 'standard',
  name: 'Standard',
  summary: '',
  policy: { change: { allowed: false, fee: 0, until_minutes: 0 }, cancel: [], no_show: 'forfeit' },
  sort: 0,
  translations: {},
};

/** `10080:100:0 1440:50:5.00/ticket`: minutes before departure, percent refunded, fee per order or ticket. */
function readTiers(row: Row, currency: string): FarePolicy['cancel'] {
  const cell = row.text('cancel');
  const tiers = cell === '' ? [] : cell.split(/\s+/).map((text) => readTier(text, currency));
  if (tiers.some((tier) => tier === null)) {
    row.problem(
      'cancel',
      'A tier is MINUTES:PERCENT:FEE, such as 1440:50:5.00 or 1440:50:5.00/ticket; tiers are parted by spaces.',
    );
  }
  const valid = tiers.filter((tier) => tier !== null);
  if (!valid.every(({ fee }) => isChargeable(fee, currency))) {
    row.problem('cancel', `Payment cards are charged ${currency} in steps of ${getMoneyStep(currency)}.`);
  }
  return valid.toSorted((a, b) => b.until_minutes_before - a.until_minutes_before);
}

function readTier(text: string, currency: string): FarePolicy['cancel'][number] | null {
  const parts = /^(\d{1,6}):(\d{1,3}):(\d{1,5})(?:\.(\d+))?(\/ticket)?$/.exec(text);
  if (!parts) return null;
  const [, minutes, percent, units = '', fraction = '', perTicket] = parts;
  const exponent = getCurrencyExponent(currency);
  if (Number(percent) > 100 || fraction.length > exponent) return null;
  return {
    until_minutes_before: Number(minutes),
    refund_bp: Number(percent) * 100,
    fee: Number(units + fraction.padEnd(exponent, '0')),
    ...(perTicket ? { fee_per: 'ticket' as const } : {}),
  };
}
