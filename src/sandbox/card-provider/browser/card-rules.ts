/** Validation of card number, expiry and security code, shared by the card frame and the API. */

export type Brand = 'visa' | 'mastercard' | 'amex' | 'discover' | 'diners' | 'jcb' | 'unionpay' | 'unknown';

export type Problem = { code: string; message: string };

type BrandRule = {
  brand: Brand;
  starts: RegExp;
  lengths: readonly number[];
  codeLength: number;
  groups: readonly number[];
};

const usual = { lengths: [16], codeLength: 3, groups: [4, 4, 4, 4] };
const longGroups = [4, 4, 4, 4, 3];

const brandRules: readonly BrandRule[] = [
  { ...usual, brand: 'visa', starts: /^4/ },
  { ...usual, brand: 'mastercard', starts: /^(5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/ },
  { brand: 'amex', starts: /^3[47]/, lengths: [15], codeLength: 4, groups: [4, 6, 5] },
  { ...usual, brand: 'discover', starts: /^(6011|65|64[4-9])/ },
  { ...usual, brand: 'diners', starts: /^(30|36|38|39)/, lengths: [14, 16] },
  { ...usual, brand: 'jcb', starts: /^35/ },
  { ...usual, brand: 'unionpay', starts: /^62/, lengths: [16, 17, 18, 19], groups: longGroups },
];

const unknownRule: BrandRule = {
  ...usual,
  brand: 'unknown',
  starts: /^/,
  lengths: [12, 13, 14, 15, 16, 17, 18, 19],
  groups: longGroups,
};

export function keepDigits(text: string): string {
  return text.replace(/\D/g, '');
}

export function findBrand(digits: string): Brand {
  return findRule(digits).brand;
}

export function getCodeLength(digits: string): number {
  return findRule(digits).codeLength;
}

export function longestNumber(digits: string): number {
  return Math.max(...findRule(digits).lengths);
}

/** `4242424242424242` → `4242 4242 4242 4242`, grouped as the brand does. */
export function formatNumber(digits: string): string {
  const parts: string[] = [];
  let start = 0;
  for (const size of findRule(digits).groups) {
    if (start >= digits.length) break;
    parts.push(digits.slice(start, start + size));
    start += size;
  }
  return parts.join(' ');
}

export function numberProblem(digits: string): Problem | null {
  const { lengths } = findRule(digits);
  if (digits.length < Math.min(...lengths)) {
    return { code: 'incomplete_number', message: 'Your card number is incomplete.' };
  }
  if (!lengths.includes(digits.length) || !passesLuhn(digits)) {
    return { code: 'invalid_number', message: 'Your card number is invalid.' };
  }
  return null;
}

/** `today` is the cardholder's day; a card is valid through the last day of its month. */
export function expiryProblem(month: number, year: number, today: Date): Problem | null {
  if (!(month >= 1 && month <= 12)) {
    return { code: 'incomplete_expiry', message: "Your card's expiration date is incomplete." };
  }
  const thisYear = today.getFullYear();
  if (year < thisYear)
    return { code: 'invalid_expiry_year_past', message: "Your card's expiration year is in the past." };
  if (year > thisYear + 50)
    return { code: 'invalid_expiry_year', message: "Your card's expiration year is invalid." };
  if (year === thisYear && month < today.getMonth() + 1) {
    return { code: 'invalid_expiry_month_past', message: "Your card's expiration date is in the past." };
  }
  return null;
}

export function codeProblem(code: string, digits: string): Problem | null {
  if (code.length === getCodeLength(digits)) return null;
  return { code: 'incomplete_cvc', message: "Your card's security code is incomplete." };
}

/** `0730` → month 7, year 2030; null while it is incomplete. */
export function parseExpiry(digits: string): { month: number; year: number } | null {
  if (digits.length !== 4) return null;
  return { month: Number(digits.slice(0, 2)), year: 2000 + Number(digits.slice(2)) };
}

/** Inserts the separator while typing: `7` → `07 / `, `0730` → `07 / 30`. */
export function formatExpiry(text: string, deleting: boolean): string {
  let digits = keepDigits(text).slice(0, 6);
  if (/^[2-9]/.test(digits)) digits = `0${digits}`;
  // Autofill may use a four-digit year.
  if (digits.length === 6 && digits.slice(2, 4) === '20') digits = digits.slice(0, 2) + digits.slice(4);
  digits = digits.slice(0, 4);
  if (digits.length < 2 || (digits.length === 2 && deleting)) return digits;
  return `${digits.slice(0, 2)} / ${digits.slice(2)}`;
}

function findRule(digits: string): BrandRule {
  return brandRules.find((rule) => rule.starts.test(digits)) ?? unknownRule;
}

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const doubled = index % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}
