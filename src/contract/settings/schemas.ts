import * as z from 'zod/mini';
import {
  CountrySchema,
  LanguageTagSchema,
  PositiveAmountSchema,
  TermsVersionSchema,
} from '#contract/common.ts';
import type { Host } from '#contract/hosts.ts';
import { AMOUNT_LIMIT, EMAIL_LENGTH, INVOICE_DAYS_LIMIT } from '#contract/limits.ts';
import { ACCOUNTS, type Account } from '#contract/reports/accounts.ts';
import { type Message, message } from '#messages/translate.ts';

/** What a tax rate of zero is in the law. */
const TAX_CATEGORIES = ['zero_rated', 'exempt', 'outside_scope'] as const;
export type TaxCategory = (typeof TAX_CATEGORIES)[number];

/** When unused trips of passes become revenue. */
const BREAKAGE_RULES = ['never', 'at_expiry', 'proportional'] as const;
export type BreakageRule = (typeof BREAKAGE_RULES)[number];

const descriptions = new WeakMap<z.ZodMiniType, Message>();

/** What a setting may be, in words. */
export function describeAllowed(schema: z.ZodMiniType): Message {
  const description = descriptions.get(schema);
  if (description === undefined) throw new Error('A setting has no description.');
  return description;
}

/** Describes the allowed values, for staff, `npm run settings -- check` and the OpenAPI document. */
function setting<Schema extends z.ZodMiniType>(description: Message, schema: Schema): Schema {
  descriptions.set(schema, description);
  z.globalRegistry.add(schema, { description });
  return schema;
}

const amountSettings = new WeakSet<z.ZodMiniType>();

/** Whether a setting is money, or a list of it, in minor units of the timetable's currency. */
export function isAmount(schema: z.ZodMiniType): boolean {
  return amountSettings.has(schema);
}

/** Staff type and read amounts as decimals; commands and the OpenAPI document have them in minor units. */
function amount<Schema extends z.ZodMiniType>(description: Message, schema: Schema): Schema {
  amountSettings.add(schema);
  setting(description, schema);
  z.globalRegistry.add(schema, { description: `${description}, in minor units` });
  return schema;
}

const translatableSettings = new WeakSet<z.ZodMiniType>();

/** Whether a setting is a text that readers of other languages may have in theirs, as `tagline@de`. */
export function isTranslatable(schema: z.ZodMiniType): boolean {
  return translatableSettings.has(schema);
}

function translatable<Schema extends z.ZodMiniType>(description: Message, schema: Schema): Schema {
  translatableSettings.add(schema);
  return setting(description, schema);
}

const CSS_COLOUR =
  /^(#([0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})|[a-z]{3,30}|(rgb|hsl|hwb|lab|lch|oklab|oklch|color)a?\([\w%.,\s/-]{1,50}\))$/i;
/** The operator's accent. Whatever it is, text on it is readable: `domain/text-on-color.ts`. */
export const AccentSchema = setting(
  message('a CSS color, such as "#f2640c"'),
  z.string().check(z.regex(CSS_COLOUR)),
);
const text = (max: number) => z.string().check(z.regex(/\S/), z.maxLength(max));
const webAddress = z.string().check(z.regex(/^https?:\/\/[^\s/]+\S*$/), z.maxLength(500));
const orNull = <Schema extends z.ZodMiniType>(schema: Schema) => z.nullable(schema);
const accountId = setting(
  message('letters, digits, "-" and "_", or empty (null)'),
  orNull(z.string().check(z.regex(/^[\w-]{1,60}$/))),
);
const accountName = setting(message('an account, text of 1 to 40 characters'), z.optional(text(40)));
const picture = setting(
  message('a web address, a path that begins with "/", or empty (null)'),
  orNull(z.string().check(z.regex(/^(https?:\/\/|\/)\S+$/), z.maxLength(500))),
);

/**
 * Settings "web": the operator's public configuration. Contact data that is null is not shown. Texts in other languages
 * stand beside those of the operator's, as `tagline@de`.
 */
export const WebSettingsSchema = z.object({
  brand: z.object({
    name: setting(message('text of 1 to 60 characters'), text(60)),
    accent: AccentSchema,
    /** The operator's logo, roughly square, for the header of every screen. */
    logo_url: picture,
    /** The icon of the installed app, of browser tabs and of link previews: a square PNG of 512 pixels. */
    icon_url: picture,
    /** The same for home screens that cut icons to a shape: filled to the edges, with the picture in the middle 80 %. */
    maskable_icon_url: picture,
    tagline: translatable(message('text of 1 to 160 characters, or empty (null)'), orNull(text(160))),
  }),
  contact: z.object({
    phone: setting(
      message('a phone number of 3 to 40 characters, or empty (null)'),
      orNull(z.string().check(z.regex(/^(?=.*\d).{3,40}$/))),
    ),
    email: setting(
      message('an email address, or empty (null)'),
      orNull(z.string().check(z.regex(/^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/), z.maxLength(EMAIL_LENGTH))),
    ),
    /** The operator's own website. */
    url: translatable(message('a web address with http or https, or empty (null)'), orNull(webAddress)),
    booth_hours: translatable(message('text of 1 to 300 characters, or empty (null)'), orNull(text(300))),
  }),
  /** Pages of the operator's website, linked in the footer of every screen and mail. */
  legal: z.object({
    privacy_url: translatable(
      message('a web address with http or https, or empty (null)'),
      orNull(webAddress),
    ),
    imprint_url: translatable(
      message('a web address with http or https, or empty (null)'),
      orNull(webAddress),
    ),
    /** The accessibility statement. */
    accessibility_url: translatable(
      message('a web address with http or https, or empty (null)'),
      orNull(webAddress),
    ),
  }),
  /** Who issues receipts. There are none while one of these is null. */
  seller: z.object({
    name: setting(
      message('the registered name, text of 1 to 120 characters, or empty (null)'),
      orNull(text(120)),
    ),
    address: setting(
      message('the registered address in one line, text of 1 to 300 characters, or empty (null)'),
      orNull(text(300)),
    ),
    tax_number: setting(
      message('the number for sales tax, text of 1 to 40 characters, or empty (null)'),
      orNull(text(40)),
    ),
    /** Where invoices are paid to. None are issued while it is null. */
    bank_account: setting(
      message(
        'the account on invoices, such as name, IBAN and BIC, text of 1 to 200 characters, or empty (null)',
      ),
      orNull(text(200)),
    ),
    /** Of the address. Without it, companies get no UBL files. */
    country: setting(
      message('a country code of two letters, such as "DE", or empty (null)'),
      orNull(CountrySchema),
    ),
    zero_tax: setting(message('"zero_rated", "exempt" or "outside_scope"'), z.enum(TAX_CATEGORIES)),
    /** Needed for UBL files where a rate of zero is exempt or outside the scope of the tax. */
    zero_tax_reason: setting(message('text of 1 to 200 characters, or empty (null)'), orNull(text(200))),
  }),
  /** Days that the recipient of an invoice has to pay it. 14 if it is missing. */
  invoice_days: z.optional(
    setting(
      message('a whole number of days from 1 to 180'),
      z.int().check(z.gte(1), z.lte(INVOICE_DAYS_LIMIT)),
    ),
  ),
  /** BCP 47, of the operator's texts; a variety such as `en-GB` decides how dates and money are written. */
  language: setting(message('a language tag, such as "en-US"'), LanguageTagSchema),
  units: setting(message('"imperial" or "metric"'), z.enum(['imperial', 'metric'])),
  /** Without paragraphs the customer is not asked to accept terms. */
  terms: z.object({
    version: setting(message('text of 1 to 40 characters'), TermsVersionSchema),
    text: translatable(
      message('a list of up to 100 paragraphs of 1 to 4000 characters'),
      z.array(text(4000)).check(z.maxLength(100)),
    ),
    /** How buyers accept the terms. Registration always uses a checkbox. */
    acceptance: setting(message('"checkbox" or "pay_button"'), z.enum(['checkbox', 'pay_button'])),
  }),
  /** Limits of one top-up in minor units; screens offer the presets. */
  top_up: z.object({
    presets: amount(
      message('a list of 1 to 6 amounts above zero'),
      z.array(PositiveAmountSchema).check(z.minLength(1), z.maxLength(6)),
    ),
    min: amount(message('an amount above zero'), z.int().check(z.gte(1), z.lte(AMOUNT_LIMIT))),
    max: amount(message('an amount above zero'), z.int().check(z.gte(1), z.lte(AMOUNT_LIMIT))),
  }),
  analytics: z.object({
    tickets_container_id: accountId,
    portal_container_id: accountId,
    recorder_site_id: accountId,
    /** Whether tag manager and recorder wait for the visitor's consent. */
    requires_consent: setting(message('true or false'), z.boolean()),
  }),
  /**
   * The share of sold sailings that an import of a timetable may cancel or move without being confirmed. One percent if
   * it is missing.
   */
  import_change_limit_percent: z.optional(
    setting(message('a number from 0 to 100'), z.number().check(z.gte(0), z.lte(100))),
  ),
  /**
   * What a gate's device takes of one trip card on a day while it has no connection: minor units, and trips of a pass. 0:
   * nothing. 3000 and 4 if they are missing.
   */
  offline_fare_limit: z.optional(
    amount(message('an amount of zero or more'), z.int().check(z.gte(0), z.lte(AMOUNT_LIMIT))),
  ),
  offline_trip_limit: z.optional(
    setting(message('a number from 0 to 100'), z.int().check(z.gte(0), z.lte(100))),
  ),
  /** Whether a vehicle that needs a license plate can be booked as a rental without one. No if it is missing. */
  rentals_without_plate: z.optional(setting(message('true or false'), z.boolean())),
  /**
   * The delay of a sailing, and the change of a delay, of which its passengers are told by email. 15 minutes if it is
   * missing.
   */
  delay_notice_minutes: z.optional(
    setting(message('a whole number of minutes from 1 to 1440'), z.int().check(z.gte(1), z.lte(1440))),
  ),
  /**
   * Whether mails with tickets have them attached as PDF; otherwise they link to it. The codes themselves are always in
   * the mail. No if it is missing.
   */
  attach_tickets_pdf: z.optional(setting(message('true or false'), z.boolean())),
  /** What the general ledger calls its accounts; those that are missing are called as this product calls them. */
  accounts: z.optional(
    z.object(
      Object.fromEntries(ACCOUNTS.map((account) => [account, accountName])) as Record<
        Account,
        typeof accountName
      >,
    ),
  ),
  /**
   * When what was paid for trips that are never used becomes revenue: `never`, which it is if it is missing, when the pass ends,
   * or in proportion to its use. The expected share of unused trips, 10 percent if it is missing.
   */
  stored_value: z.optional(
    z.object({
      breakage: setting(
        message('"never", "at_expiry" or "proportional"'),
        z.optional(z.enum(BREAKAGE_RULES)),
      ),
      breakage_percent: setting(
        message('a number from 1 to 90'),
        z.optional(z.number().check(z.gte(1), z.lte(90))),
      ),
    }),
  ),
  /** The numbers that DATEV gave the operator's tax adviser, for booking batches. All of them or no batch. */
  datev: z.optional(
    z.object({
      consultant_number: setting(
        message('a number from 1001 to 9999999'),
        z.optional(z.int().check(z.gte(1001), z.lte(9_999_999))),
      ),
      client_number: setting(
        message('a number from 1 to 99999'),
        z.optional(z.int().check(z.gte(1), z.lte(99_999))),
      ),
      /** Month and day. */
      fiscal_year_start: setting(
        message('a month and its first day, such as "01-01"'),
        z.optional(z.string().check(z.regex(/^(0[1-9]|1[0-2])-01$/))),
      ),
      /** Digits of the general ledger's accounts. */
      account_length: setting(message('a number from 4 to 8'), z.optional(z.int().check(z.gte(4), z.lte(8)))),
    }),
  ),
  /** Disables the service worker on every device that reads this. */
  sw: z.optional(z.object({ disabled: setting(message('true or false'), z.boolean()) })),
});
export type WebSettings = z.infer<typeof WebSettingsSchema>;

/** What anyone may read. */
export const PublicSettingsSchema = z.omit(WebSettingsSchema, {
  ...{ accounts: true, datev: true, stored_value: true, invoice_days: true },
});
export type PublicSettings = z.infer<typeof PublicSettingsSchema>;

/** Settings as stored or imported; missing values come from the feed or the neutral defaults. */
export type PartialWebSettings = {
  [Section in keyof WebSettings]?: NonNullable<WebSettings[Section]> extends readonly unknown[] | string
    ? WebSettings[Section] | undefined
    : Partial<NonNullable<WebSettings[Section]>> | undefined;
};

/** What pages show: without the seller, whom only receipts name. */
export type PageSettings = Omit<PublicSettings, 'seller'>;

/**
 * Configuration that the server writes into each HTML page (`<script type="application/json" id="page-config">`), so
 * that the app needs no request before its first render.
 */
export type PageConfig = {
  /** The host whose routes this origin serves. */
  host: Host;
  /** With `https:` cookies are Secure. */
  origins: Record<Host | 'storage', string>;
  /** The domain of cookies. */
  parent_domain: string;
  /** Minimum length of a new password, in code points. */
  password_min_length: number;
  provider: { publishable_key: string; script_url: string; is_test: boolean };
  /** Whether passengers of boats that leave soon are told by text message; missing: no. */
  sends_text_messages?: true;
  /** Whether the operator issues receipts; missing: no. */
  issues_receipts?: true;
  /** The operator's zone, if the host shows times on the operator's clock. */
  time_zone?: string;
  /** The seller's country, if companies get UBL files; missing: they get none. */
  seller_country?: string;
  sentry_dsn: string | null;
  version: string;
  settings: PageSettings;
};
