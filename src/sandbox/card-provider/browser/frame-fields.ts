import {
  codeProblem,
  expiryProblem,
  findBrand,
  formatExpiry,
  formatNumber,
  getCodeLength,
  keepDigits,
  longestNumber,
  numberProblem,
  type Problem,
  parseExpiry,
} from './card-rules.ts';
import type { FrameKind } from './messages.ts';

/** A field of a form: its appearance, formatting and validation. */
export type FieldRule = {
  name: string;
  label: string;
  autocomplete: AutoFill;
  placeholder: string;
  numeric: boolean;
  wide: boolean;
  optional: boolean;
  /** Formats the typed text. */
  format(typed: string, deleting: boolean, values: Values): string;
  problem(value: string, values: Values): Problem | null;
};

export type Values = Record<string, string>;

const digitField = { numeric: true, optional: false };

const cardFields: FieldRule[] = [
  {
    name: 'number',
    label: 'Card number',
    autocomplete: 'cc-number',
    placeholder: '1234 1234 1234 1234',
    ...digitField,
    wide: true,
    format: (typed) => formatNumber(keepDigits(typed).slice(0, longestNumber(keepDigits(typed)))),
    problem: (value) => numberProblem(keepDigits(value)),
  },
  {
    name: 'expiry',
    label: 'Expiration date',
    autocomplete: 'cc-exp',
    placeholder: 'MM / YY',
    ...digitField,
    wide: false,
    format: formatExpiry,
    problem(value) {
      const expiry = parseExpiry(keepDigits(value));
      return expiryProblem(expiry?.month ?? 0, expiry?.year ?? 0, new Date());
    },
  },
  {
    name: 'cvc',
    label: 'Security code',
    autocomplete: 'cc-csc',
    placeholder: 'CVC',
    ...digitField,
    wide: false,
    format: (typed, _, { number = '' }) =>
      keepDigits(typed).slice(0, number === '' ? 4 : getCodeLength(keepDigits(number))),
    problem: (value, { number = '' }) => codeProblem(value, keepDigits(number)),
  },
];

function plainField(
  name: string,
  label: string,
  autocomplete: AutoFill,
  wide = true,
  optional = false,
): FieldRule {
  return {
    name,
    label,
    autocomplete,
    placeholder: '',
    numeric: false,
    wide,
    optional,
    format: (typed) => typed.slice(0, 200),
    problem: (value) =>
      value.trim() === '' && !optional
        ? { code: `incomplete_${name}`, message: 'This field is incomplete.' }
        : null,
  };
}

const emailField: FieldRule = {
  ...plainField('email', 'Email', 'email'),
  problem: (value) =>
    /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(value)
      ? null
      : { code: 'incomplete_email', message: 'Your email is incomplete.' },
};

export const fieldRules: Record<FrameKind, FieldRule[]> = {
  payment: cardFields,
  card: cardFields,
  address: [
    plainField('name', 'Full name', 'name'),
    plainField('line1', 'Address line 1', 'address-line1'),
    plainField('line2', 'Address line 2 (optional)', 'address-line2', true, true),
    plainField('postal_code', 'Postal code', 'postal-code', false),
    plainField('city', 'City', 'address-level2', false),
    plainField('country', 'Country', 'country'),
  ],
  linkAuthentication: [emailField],
  expressCheckout: [],
};

/** Converts a card form's values to API parameters. */
export function cardParameters(values: Values, prefix: string): Record<string, string> {
  const name = (field: string) => (prefix ? `${prefix}[card][${field}]` : `card[${field}]`);
  const expiry = parseExpiry(keepDigits(values.expiry ?? ''));
  return {
    [prefix ? `${prefix}[type]` : 'type']: 'card',
    [name('number')]: keepDigits(values.number ?? ''),
    [name('exp_month')]: String(expiry?.month ?? ''),
    [name('exp_year')]: String(expiry?.year ?? ''),
    [name('cvc')]: values.cvc ?? '',
  };
}

export function brandName(values: Values): string {
  return findBrand(keepDigits(values.number ?? ''));
}
