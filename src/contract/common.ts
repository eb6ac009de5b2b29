import * as z from 'zod/mini';
import { listOfferedLanguages } from '#messages/languages.ts';
import { AMOUNT_LIMIT, CODE_LENGTH, EMAIL_LENGTH, PHONE_LENGTH } from './limits.ts';

/** An opaque id: a short kind prefix and 128 random bits, e.g. `ord_4kq0…`. */
export const IdSchema = z.string().check(z.regex(/^[a-z]{2,4}_[0-9a-z]{26}$/));

/** An instant in UTC, ISO 8601 with `Z`. */
export const InstantSchema = z.string().check(z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,3})?Z$/));

/** The same instant on a port's clock, with that port's offset: `2026-03-29T01:30:00+01:00`. */
export const LocalTimeSchema = z
  .string()
  .check(z.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}[+-]\d{2}:\d{2}$/));

/** A calendar day, `YYYY-MM-DD`. A `service_date` is the operator's service day. */
export const DaySchema = z.string().check(z.regex(/^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/));

/** Money in minor units of the currency beside it; never a fraction. */
export const AmountSchema = z.int().check(z.gte(-AMOUNT_LIMIT), z.lte(AMOUNT_LIMIT));

/** An amount that is charged, moved or offered. */
export const PositiveAmountSchema = z.int().check(z.gte(1), z.lte(AMOUNT_LIMIT));

/** A code of the operator, such as that of a passenger type or a fare class. */
export const CodeSchema = z.string().check(z.minLength(1), z.maxLength(CODE_LENGTH));

/** The version of the terms, as the settings name it and customers accept it. */
export const TermsVersionSchema = z.string().check(z.regex(/\S/), z.maxLength(40));

/** A language that people choose. */
export const LanguageSchema = z.enum(listOfferedLanguages());

/** A BCP 47 language tag that `Intl` accepts: `en-GB`. */
export const LanguageTagSchema = z.string().check(z.maxLength(35), z.refine(isLanguageTag));

/** ISO 4217 code. */
export const CurrencySchema = z.string().check(z.regex(/^[A-Z]{3}$/));

/** Why a payment failed: a code of errors.ts and its text for the customer. */
export const FailureSchema = z.object({ code: z.string(), message: z.string() });

/** Text a customer typed: trimmed, without control characters, bidi overrides or lone surrogates. */
export function plainText(min: number, max: number) {
  return z.string().check(
    z.trim(),
    z.minLength(min),
    z.maxLength(max),
    z.refine((text) => !UNSAFE_TEXT.test(text)),
  );
}

/**
 * C0/C1 controls, lone surrogates, line separators, zero-width and bidirectional controls. All are invisible and
 * therefore not accepted in texts, except the two zero-width joiners, which some scripts need to spell names.
 */
export const UNSAFE_TEXT = /[\p{Cc}\p{Cs}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060\u2066-\u2069\ufeff]/u;

/** Invisible characters could make two different addresses look the same. */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}]/u;

/** An e-mail address in NFC, without display name, comment, list or invisible characters, at most 254 characters. */
export const EmailSchema = z.string().check(
  z.trim(),
  z.overwrite((text) => text.normalize('NFC')),
  z.maxLength(EMAIL_LENGTH),
  z.regex(/^[^\s@,;:<>()[\]\\"]+@[^\s@,;:<>()[\]\\".]+(\.[^\s@,;:<>()[\]\\".]+)+$/),
  z.refine((text) => !INVISIBLE.test(text)),
);

/** An international telephone number (E.164 after spaces, dots, dashes and brackets are dropped), or empty. */
export const PhoneSchema = z.string().check(
  z.trim(),
  z.maxLength(PHONE_LENGTH),
  z.overwrite((text) => text.replace(/[\s().-]/g, '')),
  z.regex(/^(\+?[0-9]{6,15})?$/),
);

function isLanguageTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag).length === 1;
  } catch {
    return false;
  }
}

/** Position of a page within a list. */
export const PageMetaSchema = z.object({
  page: z.int(),
  page_size: z.int(),
  total_pages: z.int(),
  total_count: z.int(),
});
export type PageMeta = z.infer<typeof PageMetaSchema>;

export const FILTER_OPERATORS = ['==', 'ilike', '<', '>', '<=', '>=', 'in', 'not_in'] as const;
export type FilterOperator = (typeof FILTER_OPERATORS)[number];

/** One condition of a filtered list: `filters[i][field]`, `filters[i][op]`, `filters[i][value]` on the wire. */
export type Filter = {
  field: string;
  op: FilterOperator;
  value: string | number | boolean | readonly (string | number)[];
};

/**
 * The response body of every call. Newer clients read `data` or `errors`. Older clients read `error` (only on failure)
 * and, on the calls that always had them, top-level fields.
 */
export type Envelope<Data> =
  | { success: true; data: Data; errors: []; status_code: number; meta?: PageMeta }
  | { success: false; data: null; errors: ApiError[]; status_code: number; error: string };
export type ApiError = {
  code: string;
  /** Finer than the code, where that has several causes. `params` are the values in its message. */
  reason?: string;
  params?: Record<string, string | number>;
  /** In the request's language. */
  message: string;
  field?: string;
  details?: Record<string, unknown>;
};

/** ISO 3166-1 alpha-2. */
export const CountrySchema = z.string().check(z.regex(/^[A-Z]{2}$/));
