import { portalPages } from '#contract/paths.ts';
import type { WebSettings } from '#contract/settings/schemas.ts';
import { formatMoney } from '#domain/format/money.ts';
import { message, type Translate } from '#messages/translate.ts';
import { formatCardAmount, formatTrips } from '#sentences/card-amounts.ts';
import { describeStoredValueTax } from '#sentences/stored-value-tax.ts';
import type { AccountMailData, AccountMailKind, PassData, TripCardData } from '../account-mails.ts';
import { button, definitions, link, type MailBlock, type MailTexts, text } from '../mail-content.ts';
import { formatDay } from './day.ts';

export type TemplateInput = {
  settings: WebSettings;
  /** Configured origin of the portal; links never use the request's host. */
  origin: string;
  /** Configured origin of the ticket host. */
  ticketOrigin: string;
  /** Configured origin of the staff host. */
  staffOrigin: string;
  /** When the mail was caused. */
  requestedAt: Date;
  /** IANA zone of the operator, in which instants are written. */
  timeZone: string;
};

/** Writes the mails of some kinds. */
export type AccountTemplates<Kinds extends AccountMailKind = AccountMailKind> = {
  [Kind in Kinds]: (t: Translate, data: AccountMailData[Kind], input: TemplateInput) => MailTexts;
};

type TripCardMailKind = Extract<AccountMailKind, `trip-card-${string}`>;

export const NEW_PASSWORD = message('Set a new password');

/** The mails about trip cards and passes of an account. */
export const TRIP_CARD_MAILS: AccountTemplates<TripCardMailKind> = {
  'trip-card-low': (t, { balance, ...card }, { origin, settings }) => ({
    title: t('Your trip card is running low'),
    parts: [
      text(t('The balance of your trip card has fallen below the amount you chose.')),
      definitions(
        [t('Card|a trip card'), describeCard(t, card)],
        [t('Balance'), describeAmount(t, balance, card, settings)],
      ),
      tripCardsButton(t, origin),
    ],
  }),
  'trip-card-topped-up': (t, { amount, balance, receiptNumber, ...card }, { origin, settings }) => ({
    title: t('Your trip card is topped up'),
    parts: [
      text(t('The money is on your trip card, ready to use. This email is your receipt.')),
      definitions(
        [t('Card|a trip card'), describeCard(t, card)],
        [t('Added'), describeAmount(t, amount, card, settings)],
        [t('Balance'), describeAmount(t, balance, card, settings)],
        [t('Tax'), describeStoredValueTax(t)],
        [t('Receipt'), receiptNumber],
      ),
      tripCardsButton(t, origin),
    ],
  }),
  'trip-card-pass-bought': (
    t,
    { trips, validUntil, paid, receiptNumber, ...card },
    { origin, settings },
  ) => ({
    title: t('Your pass is ready'),
    parts: [
      text(t('The trips are on your pass, ready to use. This email is your receipt.')),
      definitions(
        ...passRows(t, { card, trips, validUntil }, settings),
        [t('Paid'), formatMoney(paid, card.currency, settings.language)],
        [t('Tax'), describeStoredValueTax(t)],
        [t('Receipt'), receiptNumber],
      ),
      tripCardsButton(t, origin),
    ],
  }),
  'trip-card-pass-ends': (t, { trips, validUntil, days, ...card }, { origin, settings }) => ({
    title:
      days === 7
        ? t('Your pass ends in a week')
        : t('Your pass ends in {days, plural, one {# day} other {# days}}', { days }),
    parts: [
      text(t('Trips that are left can only be used until then. Buying the pass again extends it.')),
      definitions(...passRows(t, { card, trips, validUntil }, settings)),
      tripCardsButton(t, origin),
    ],
  }),
  'trip-card-auto-stopped': (t, { why, ...card }, { origin }) => ({
    title: t('Your automatic top-up has stopped'),
    parts: [
      text(
        why === 'needs_card'
          ? t('We could not charge your payment card. Choose another one to restart automatic top-ups.')
          : t('Your bank needs to check it’s you. Top up once yourself to restart automatic top-ups.'),
      ),
      definitions([t('Card|a trip card'), describeCard(t, card)]),
      tripCardsButton(t, origin),
    ],
  }),
  'trip-card-disputed': (t, { amount, taken, owed, source, ...card }, { origin, settings }) => ({
    title:
      source === 'refund'
        ? t('A refund to your trip card is disputed')
        : t('A top-up of your trip card is disputed'),
    parts: [
      text(
        source === 'refund'
          ? t(
              'The cardholder disputed a payment that we had refunded to your trip card, so the bank reversed it. We removed that refund from your trip card. If the bank decides for the payment, we add it back.',
            )
          : t(
              'The cardholder disputed a top-up, so the bank reversed the payment. We removed that money from your trip card. If the bank decides for the payment, we add it back.',
            ),
      ),
      definitions(
        [t('Card|a trip card'), describeCard(t, card)],
        [t('Disputed'), describeAmount(t, amount, card, settings)],
        [t('Removed from the card'), describeAmount(t, taken, card, settings)],
        ...(owed === 0 ? [] : [[t('Still owed'), describeAmount(t, owed, card, settings)] as const]),
      ),
      text(
        [
          owed === 0 ? '' : t('Your next top-up pays what is still owed.'),
          t('Automatic top-ups for this card are paused.'),
        ]
          .filter(Boolean)
          .join(' '),
      ),
      tripCardsButton(t, origin),
    ],
  }),
  'trip-card-lost': (t, { newLastFour, ...card }, { origin }) => ({
    title: t('Your trip card is replaced'),
    parts: [
      text(t('You reported a trip card lost. It no longer works, and its balance has moved.')),
      definitions(
        [t('Lost'), describeCard(t, card)],
        [t('Replaced by'), t('the card ending {digits}', { digits: newLastFour })],
      ),
      tripCardsButton(t, origin),
      text(t('If this wasn’t you, set a new password now.')),
      link(t(NEW_PASSWORD), origin + portalPages.askForReset),
    ],
  }),
  'trip-card-shared': (t, _, { origin, settings }) => ({
    title: t('A trip card was shared with you'),
    parts: [
      text(t('Someone shared a {brand} trip card with you.', { brand: settings.brand.name })),
      text(t('Sign in or create an account with this address to see it under Trip Cards.')),
      tripCardsButton(t, origin),
      text(t('If you don’t expect a card from anyone, ignore this email.')),
    ],
  }),
};

type Language = Pick<WebSettings, 'language'>;

function passRows(
  t: Translate,
  { card, trips, validUntil }: PassData & { card: TripCardData },
  { language }: Language,
) {
  const until = validUntil === null ? [] : [[t('Travel until'), formatDay(validUntil, language)] as const];
  return [
    [t('Pass'), describeCard(t, card)] as const,
    [t('Balance'), formatTrips(t, trips)] as const,
    ...until,
  ];
}

function describeCard(t: Translate, { name, lastFour }: TripCardData): string {
  return t('{name}, ending {digits}', { name, digits: lastFour });
}

function describeAmount(t: Translate, amount: number, card: TripCardData, { language }: Language): string {
  return formatCardAmount(t, amount, card, language);
}

function tripCardsButton(t: Translate, origin: string): MailBlock {
  return button(t('See your trip cards'), origin + portalPages.tripCards);
}
