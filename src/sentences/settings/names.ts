import type { WebSettings } from '#contract/settings/schemas.ts';
import { LANGUAGES } from '#messages/languages.ts';
import { type Message, message, type Translate } from '#messages/translate.ts';
import { parseTranslationKey } from '#messages/translations.ts';

type PathsOf<Section extends keyof WebSettings> =
  NonNullable<WebSettings[Section]> extends string | number | boolean
    ? Section
    : `${Section}.${keyof NonNullable<WebSettings[Section]> & string}`;
type SettingPath = { [Section in keyof WebSettings]-?: PathsOf<Section> }[keyof WebSettings];

const NAMES: Readonly<Record<SettingPath, Message>> = {
  'brand.name': message('Name of the operator'),
  'brand.accent': message('Accent color'),
  'brand.logo_url': message('Address of the logo'),
  'brand.icon_url': message('Address of the app’s icon, 512 × 512 pixels'),
  'brand.maskable_icon_url': message('Address of the icon that phones cut to a shape'),
  'brand.tagline': message('Tagline'),
  'contact.phone': message('Phone'),
  'contact.email': message('Email'),
  'contact.url': message('Website'),
  'contact.booth_hours': message('Hours of the ticket booth'),
  'legal.privacy_url': message('Address of the privacy notice'),
  'legal.imprint_url': message('Address of the imprint'),
  'legal.accessibility_url': message('Address of the accessibility statement'),
  'seller.name': message('Registered name'),
  'seller.address': message('Registered address'),
  'seller.tax_number': message('Number for sales tax'),
  'seller.bank_account': message('Bank account on invoices'),
  'seller.country': message('Country, as two letters such as DE'),
  'seller.zero_tax': message('What a tax rate of zero means'),
  'seller.zero_tax_reason': message('Why it is exempt or outside the scope'),
  invoice_days: message('Days to pay an invoice'),
  language: message('Language of your texts, such as en-GB'),
  units: message('Units of length'),
  'terms.version': message('Version of the terms'),
  'terms.text': message('Text of the terms'),
  'terms.acceptance': message('How buyers accept the terms'),
  'top_up.presets': message('Offered amounts'),
  'top_up.min': message('Lowest amount'),
  'top_up.max': message('Highest amount'),
  'analytics.tickets_container_id': message('Tag manager of the ticket host'),
  'analytics.portal_container_id': message('Tag manager of the portal'),
  'analytics.recorder_site_id': message('Site of the session recorder'),
  'analytics.requires_consent': message('Ask visitors before these load'),
  import_change_limit_percent: message('Sold sailings that an import may change unconfirmed, in percent'),
  offline_fare_limit: message('Fares that a gate takes from one card offline in a day'),
  offline_trip_limit: message('Trips that a gate takes of one pass offline in a day'),
  rentals_without_plate: message('Book rental vehicles without a plate'),
  delay_notice_minutes: message('Minutes of delay of which passengers are told'),
  attach_tickets_pdf: message('Attach tickets to mails as PDF'),
  'accounts.receivables': message('Receivables|an account'),
  'accounts.advance_payments': message('Advance payments|an account'),
  'accounts.revenue': message('Revenue|an account'),
  'accounts.tax': message('Tax|an account'),
  'accounts.card': message('Owed by the card provider|an account'),
  'accounts.bank': message('Bank|an account'),
  'accounts.provider_fees': message('Fees of the card provider|an account'),
  'accounts.exchange': message('Exchanged by the card provider|an account'),
  'accounts.cash': message('Cash|an account'),
  'accounts.terminal': message('Owed by the terminal’s bank|an account'),
  'accounts.invoiced': message('Invoiced|an account'),
  'accounts.dispute': message('Taken back by banks|an account'),
  'accounts.stored_value': message('Value of trip cards and passes|an account'),
  'accounts.corrections': message('Corrections of balances|an account'),
  'accounts.breakage': message('Unused trips of passes|an account'),
  'stored_value.breakage': message('When unused trips of passes become revenue'),
  'stored_value.breakage_percent': message('Expected share of unused trips, in percent'),
  'datev.consultant_number': message('Consultant number (Beraternummer)'),
  'datev.client_number': message('Client number (Mandantennummer)'),
  'datev.fiscal_year_start': message('First day of the fiscal year, such as 01-01'),
  'datev.account_length': message('Digits of the accounts'),
  'sw.disabled': message('Turn off the app’s offline part on all devices'),
};

/** The name of a setting by its path, with the language of a translated text; an unknown path as it is. */
export function nameSetting(t: Translate, path: string): string {
  const { field = path, tag } = parseTranslationKey(path) ?? {};
  const name = NAMES[field as SettingPath] as Message | undefined;
  if (name === undefined) return path;
  const language = Object.entries(LANGUAGES).find(([each]) => each === tag)?.[1].name;
  return language === undefined ? t(name) : t('{name} ({language})', { name: t(name), language });
}

const SECTIONS: Readonly<Record<string, Message>> = {
  brand: message('Name and looks'),
  contact: message('Contact'),
  legal: message('Legal pages'),
  seller: message('Seller on receipts'),
  terms: message('Terms of carriage'),
  top_up: message('Top-ups of trip cards'),
  analytics: message('Analytics'),
  accounts: message('Accounts of the general ledger'),
  stored_value: message('Value of trip cards and passes'),
  datev: message('DATEV'),
};

/** The name of a section; of settings that have none, a common one. */
export function nameSettingsSection(t: Translate, section: string): string {
  return t(SECTIONS[section] ?? message('Language, limits and rules'));
}

const CHOICES: Readonly<Record<string, Message>> = {
  zero_rated: message('Zero-rated'),
  exempt: message('Exempt'),
  outside_scope: message('Outside the scope of the tax'),
  never: message('Never'),
  at_expiry: message('When the pass ends'),
  proportional: message('In proportion to its use'),
  imperial: message('Feet and inches'),
  metric: message('Meters'),
  checkbox: message('By a checkbox'),
  pay_button: message('By paying, which a sentence says'),
};

/** A choice of a setting in words. */
export function nameSettingChoice(t: Translate, choice: string): string {
  const name = CHOICES[choice];
  return name === undefined ? choice : t(name);
}
