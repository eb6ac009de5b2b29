import { foldCode, foldText } from './order-search.ts';
import { parseReference } from './reference.ts';

/** What staff typed, as the database finds it. */
export type StaffSearch = {
  /** Alternatives, of which one must match: beginnings of words that an order has all. */
  alternatives: readonly (readonly string[])[];
  /** A license plate, reference or the like, as letters and digits; null if it is none. */
  code: string | null;
  /** The last four digits of a payment card. */
  lastFour: string | null;
  /** The whole number of a trip card. */
  tripCardNumber: string | null;
  /** The letters below a ticket's code. */
  boardingCode: string | null;
  /** The number of a receipt or an invoice. */
  receiptNumber: string | null;
};

/** Shorter texts begin too many words. */
const MIN_LENGTH = 3;
const MIN_PHONE_DIGITS = 6;
const MAX_WORDS = 8;
/** `R-2026-000017`. */
const RECEIPT_NUMBER = /^[a-z]-\d{4}-\d{6,}$/i;
const NO_CODES = {
  ...{ code: null, lastFour: null, tripCardNumber: null },
  ...{ boardingCode: null, receiptNumber: null },
};
/** As in the index: everything else is a part of a word. */
const BETWEEN_WORDS = /[\s[\]",.'’()/-]+/;

/**
 * Reads a search for an order: a reference, names, a mail address, a telephone number, a license plate, the number of a
 * trip card, the letters of a ticket, the number of an invoice, or the last four digits of a payment card.
 * @returns null if it is too short to search for
 */
export function parseStaffSearch(text: string): StaffSearch | null {
  const typed = text.trim();
  const code = foldCode(typed);
  if (code.length < MIN_LENGTH) return null;
  if (typed.includes('@')) {
    return { alternatives: [[typed.toLowerCase()]], ...NO_CODES };
  }
  const words = foldText(typed).split(BETWEEN_WORDS).filter(Boolean).slice(0, MAX_WORDS);
  const phone = readPhone(typed);
  const isDigits = /^\d+$/.test(code);
  return {
    alternatives: [words, [code], ...(phone === null ? [] : [[phone]])],
    code,
    lastFour: isDigits && code.length === 4 ? code : null,
    tripCardNumber: isDigits && code.length === 16 ? code : null,
    boardingCode: parseReference(typed, ' '),
    receiptNumber: RECEIPT_NUMBER.test(typed) ? typed.toUpperCase() : null,
  };
}

/** From its end, after a plus sign, as the index has it; without the zeros that are not dialed from abroad. */
function readPhone(typed: string): string | null {
  if (!/^\+?[\d\s()/.-]+$/.test(typed)) return null;
  const digits = typed.replace(/\D/g, '').replace(/^0+/, '');
  return digits.length < MIN_PHONE_DIGITS ? null : `+${[...digits].reverse().join('')}`;
}
