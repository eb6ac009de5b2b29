import { portalPages } from '#contract/paths.ts';
import type { WebSettings } from '#contract/settings/schemas.ts';
import { formatContact } from '#domain/orders/contact.ts';
import type { AccountMailData, AccountMailKind, AccountMessage } from '../account-mails.ts';
import {
  button,
  definitions,
  heading,
  legalLinks,
  link,
  type MailBlock,
  type MailContent,
  type MailTexts,
  text,
} from '../mail-content.ts';
import { formatDay } from './day.ts';
import { formatEventTime, SECURITY_EVENT_TEXTS } from './security-event.ts';

type TemplateInput = {
  settings: WebSettings;
  /** Configured origin of the portal; links never use the request's host. */
  origin: string;
  /** Configured origin of the ticket host. */
  ticketOrigin: string;
  /** When the mail was caused. */
  requestedAt: Date;
  /** IANA zone of the operator, in which instants are written. */
  timeZone: string;
};

const DAY = 24 * 60;
/** Minutes after which a mail is not sent any more, because its code or link has expired. Notifications have no limit. */
const EXPIRY_MINUTES: Partial<Record<AccountMailKind, number>> = {
  'sign-in-code': 10,
  'step-up-code': 10,
  'order-code': 10,
  'no-account': 10,
  'reset-password': 30,
  'confirm-account': DAY,
  'confirm-email-change': DAY,
};

/** Whether the code or link in a mail of this kind has expired. */
export function isExpiredMail(kind: string, requestedAt: Date, now: Date): boolean {
  const minutes = EXPIRY_MINUTES[kind as AccountMailKind];
  return minutes !== undefined && now.getTime() - requestedAt.getTime() >= minutes * 60_000;
}

/**
 * The content of a mail about an account.
 * @throws if it would link to another site
 */
export function accountMailContent(
  message: AccountMessage,
  input: TemplateInput,
): { subject: string; content: MailContent } {
  const { brand, contact } = input.settings;
  const { title, subject = title, parts } = createTexts(message.kind, message.data, input);
  for (const part of parts) {
    if ('url' in part && ![input.origin, input.ticketOrigin].includes(new URL(part.url).origin))
      throw new Error('A link leads elsewhere.');
  }
  const footer = [
    formatContact(brand.name, contact),
    `You’re receiving this because this address was used at ${brand.name}.`,
  ];
  const footerLinks = legalLinks(input.settings);
  return {
    subject,
    content: { brandName: brand.name, accent: brand.accent, title, parts, footer, footerLinks },
  };
}

function createTexts<Kind extends AccountMailKind>(
  kind: Kind,
  data: AccountMailData[Kind],
  input: TemplateInput,
): MailTexts {
  return TEMPLATES[kind](data, input);
}

const TEMPLATES: {
  [Kind in AccountMailKind]: (data: AccountMailData[Kind], input: TemplateInput) => MailTexts;
} = {
  'sign-in-code': ({ code, link: url, device }, input) => ({
    title: 'Your sign-in code',
    subject: `${code} is your sign-in code`,
    parts: [
      text('Enter this code where you’re signing in:'),
      { kind: 'code', code },
      text('Or sign in on this device:'),
      button('Sign in', url),
      describeRequest(device, input),
      text('The code and the link work once, within 10 minutes. We will never ask you for this code.'),
      text('If you’re not signing in, ignore this email. Your account is safe without the code.'),
    ],
  }),
  'step-up-code': ({ code, device }, input) => ({
    title: 'Confirm it’s you',
    subject: `${code} is your code to confirm it’s you`,
    parts: [
      text('You’re about to change something important in your account. Enter this code to continue:'),
      { kind: 'code', code },
      describeRequest(device, input),
      text('The code works once, within 10 minutes. We will never ask you for this code.'),
      text('If this wasn’t you, someone else is signed in to your account. Sign out every other device:'),
      link('Check your devices', input.origin + portalPages.security),
    ],
  }),
  'order-code': ({ code, reference, device }, input) => ({
    title: 'Confirm it’s you',
    subject: `${code} is your code for order ${reference}`,
    parts: [
      text(
        `Someone, hopefully you, wants to change order ${reference} or cancel its tickets. Enter this code to continue:`,
      ),
      { kind: 'code', code },
      describeRequest(device, input),
      text('The code works once, within 10 minutes. We will never ask you for this code.'),
      text('If this wasn’t you, ignore this email. Your order stays as it is.'),
    ],
  }),
  'tickets-shared': ({ link: url, tickets, sailings }, { settings }) => ({
    title: tickets === 1 ? 'A ferry ticket for you' : 'Ferry tickets for you',
    parts: [
      text(
        `Someone who bought tickets at ${settings.brand.name} has sent you ${tickets === 1 ? 'one' : `${tickets} of them`}.`,
      ),
      { kind: 'list', items: sailings },
      button(tickets === 1 ? 'Open your ticket' : 'Open your tickets', url),
      text(
        'Open the link on the phone that you travel with. The code for the gate stays on it, and works without a connection.',
      ),
      text('Anyone with this link can use the tickets, so keep it private.'),
      text('If you don’t expect tickets from anyone, ignore this email.'),
    ],
  }),
  'no-account': ({ device }, input) => ({
    title: 'No account uses this address',
    parts: [
      text(
        'Someone, hopefully you, tried to sign in with this address. No account uses it. Your account may use another address.',
      ),
      describeRequest(device, input),
      link('Create an account', input.origin + portalPages.signUp),
      text(IGNORE),
    ],
  }),
  'confirm-account': ({ link: url }, { settings }) => ({
    title: 'Confirm your email address',
    parts: [
      text(`Someone, hopefully you, is creating a ${settings.brand.name} account with this address.`),
      button('Confirm and create the account', url),
      text(
        `The link works for 24 hours. ${IGNORE} Confirming would give the person who asked access to your orders.`,
      ),
    ],
  }),
  'account-exists': (_, { origin }) => ({
    title: 'You already have an account',
    parts: [
      text(
        'Someone, hopefully you, tried to create an account with this address. It already has one, and nothing has changed.',
      ),
      button('Sign in', origin + portalPages.signIn),
      link(NEW_PASSWORD, origin + portalPages.askForReset),
      text(IGNORE),
    ],
  }),
  'reset-password': ({ link: url, device }, input) => ({
    title: NEW_PASSWORD,
    parts: [
      text('Someone, hopefully you, asked to set a new password for your account.'),
      button(NEW_PASSWORD, url),
      describeRequest(device, input),
      text('The link works once, within 30 minutes. A new password signs out every device.'),
      text(`${IGNORE} Your password stays the same.`),
    ],
  }),
  'confirm-email-change': ({ link: url }, { settings }) => ({
    title: 'Confirm your new email address',
    parts: [
      text(`Someone, hopefully you, wants to use this address for a ${settings.brand.name} account.`),
      button('Use this address', url),
      text(
        `The link works for 24 hours. ${IGNORE} Confirming would show them tickets bought with this address.`,
      ),
    ],
  }),
  'email-taken': (_, { origin }) => ({
    title: 'Your account already uses this address',
    parts: [
      text(
        'Someone, hopefully you, tried to use this address for another account. Your account already uses it, so nothing has changed.',
      ),
      button('Sign in', origin + portalPages.signIn),
      text(IGNORE),
    ],
  }),
  'email-change-asked': ({ newEmail, link: url, device }, input) => ({
    title: 'Your email address is about to change',
    parts: [
      text(
        'Someone signed in to your account asked to change its email address. It changes once the new address is confirmed.',
      ),
      definitions(['New address', newEmail]),
      describeRequest(device, input),
      heading(NOT_ME),
      text('Stop the change, then set a new password. That signs out every device.'),
      button('Stop the change', url),
      link(NEW_PASSWORD, input.origin + portalPages.askForReset),
    ],
  }),
  'email-changed': ({ newEmail, link: url, device }, input) => ({
    title: 'Your email address has changed',
    parts: [
      text('Your account now uses a new email address. Our emails will go there.'),
      definitions(['New address', newEmail]),
      describeRequest(device, input),
      heading(NOT_ME),
      text('Restore this address and sign out every device. The link works for 7 days.'),
      button('Restore this address', url),
    ],
  }),
  'email-change-undone': (_, { origin }) => ({
    title: 'This address is yours again',
    parts: [
      text(
        'Your account uses this address again. We signed out every device and removed passkeys and authenticators added since the change.',
      ),
      text('Set a new password now to protect your account.'),
      button(NEW_PASSWORD, origin + portalPages.askForReset),
    ],
  }),
  'security-event': ({ event, device, at }, input) => ({
    title: SECURITY_EVENT_TEXTS[event].title,
    parts: [
      text(SECURITY_EVENT_TEXTS[event].sentence),
      describeRequest(device, { ...input, requestedAt: new Date(at) }),
      heading(NOT_ME),
      text('Set a new password. That signs out every device.'),
      button(NEW_PASSWORD, input.origin + portalPages.askForReset),
      link('See your devices and ways to sign in', input.origin + portalPages.security),
    ],
  }),
  'account-deleted': (_, { settings }) => ({
    title: 'Your account is deleted',
    parts: [
      text(
        'We deleted your account and signed out every device. Tickets you bought stay valid until they are used.',
      ),
      text(`Thank you for traveling with ${settings.brand.name}.`),
    ],
  }),
  'trip-card-low': ({ balance, ...card }, { origin }) => ({
    title: 'Your trip card is running low',
    parts: [
      text('The balance of your trip card has fallen below the amount you chose.'),
      definitions(['Card', describeCard(card)], ['Balance', balance]),
      tripCardsButton(origin),
    ],
  }),
  'trip-card-topped-up': ({ amount, balance, receiptNumber, ...card }, { origin }) => ({
    title: 'Your trip card is topped up',
    parts: [
      text('The money is on your trip card, ready to use. This email is your receipt.'),
      definitions(
        ['Card', describeCard(card)],
        ['Added', amount],
        ['Balance', balance],
        ['Receipt', receiptNumber],
      ),
      tripCardsButton(origin),
    ],
  }),
  'trip-card-pass-bought': (
    { trips, validUntil, paid, tax, receiptNumber, ...card },
    { origin, settings },
  ) => ({
    title: 'Your pass is ready',
    parts: [
      text('The trips are on your pass, ready to use. This email is your receipt.'),
      definitions(
        ['Pass', describeCard(card)],
        ['Balance', trips],
        ...(validUntil === null ? [] : [['Travel until', formatDay(validUntil, settings.language)] as const]),
        ['Paid', paid],
        ...(tax === null ? [] : [['Tax included', tax] as const]),
        ['Receipt', receiptNumber],
      ),
      tripCardsButton(origin),
    ],
  }),
  'trip-card-pass-ends': ({ trips, validUntil, days, ...card }, { origin, settings }) => ({
    title: days === 7 ? 'Your pass ends in a week' : `Your pass ends in ${days} days`,
    parts: [
      text('Trips that are left can only be used until then. Buying the pass again extends it.'),
      definitions(
        ['Pass', describeCard(card)],
        ['Balance', trips],
        ...(validUntil === null ? [] : [['Travel until', formatDay(validUntil, settings.language)] as const]),
      ),
      tripCardsButton(origin),
    ],
  }),
  'trip-card-auto-stopped': ({ why, ...card }, { origin }) => ({
    title: 'Your automatic top-up has stopped',
    parts: [
      text(
        why === 'needs_card'
          ? 'We could not charge your payment card. Choose another one to restart automatic top-ups.'
          : 'Your bank needs to check it’s you. Top up once yourself to restart automatic top-ups.',
      ),
      definitions(['Card', describeCard(card)]),
      tripCardsButton(origin),
    ],
  }),
  'trip-card-disputed': ({ amount, taken, owed, source, ...card }, { origin }) => ({
    title:
      source === 'refund'
        ? 'A refund to your trip card is disputed'
        : 'A top-up of your trip card is disputed',
    parts: [
      text(
        source === 'refund'
          ? 'The cardholder disputed a payment that we had refunded to your trip card, so the bank reversed it. We removed that refund from your trip card. If the bank decides for the payment, we add it back.'
          : 'The cardholder disputed a top-up, so the bank reversed the payment. We removed that money from your trip card. If the bank decides for the payment, we add it back.',
      ),
      definitions(
        ['Card', describeCard(card)],
        ['Disputed', amount],
        ['Removed from the card', taken],
        ...(owed === null ? [] : [['Still owed', owed] as const]),
      ),
      text(
        `${owed === null ? '' : 'Your next top-up pays what is still owed. '}Automatic top-ups for this card are paused.`,
      ),
      tripCardsButton(origin),
    ],
  }),
  'trip-card-lost': ({ newLastFour, ...card }, { origin }) => ({
    title: 'Your trip card is replaced',
    parts: [
      text('You reported a trip card lost. It no longer works, and its balance has moved.'),
      definitions(['Lost', describeCard(card)], ['Replaced by', `the card ending ${newLastFour}`]),
      tripCardsButton(origin),
      text('If this wasn’t you, set a new password now.'),
      link(NEW_PASSWORD, origin + portalPages.askForReset),
    ],
  }),
  'trip-card-shared': (_, { origin, settings }) => ({
    title: 'A trip card was shared with you',
    parts: [
      text(`Someone shared a ${settings.brand.name} trip card with you.`),
      text('Sign in or create an account with this address to see it under Trip Cards.'),
      tripCardsButton(origin),
      text('If you don’t expect a card from anyone, ignore this email.'),
    ],
  }),
};

const IGNORE = 'If this wasn’t you, ignore this email.';
const NEW_PASSWORD = 'Set a new password';
const NOT_ME = 'This wasn’t me';

function describeRequest(
  device: string,
  { requestedAt, timeZone, settings }: Pick<TemplateInput, 'requestedAt' | 'timeZone' | 'settings'>,
): MailBlock {
  return definitions(['Device', device], ['Time', formatEventTime(requestedAt, timeZone, settings.language)]);
}

function describeCard({ name, lastFour }: { name: string; lastFour: string }): string {
  return `${name}, ending ${lastFour}`;
}

function tripCardsButton(origin: string): MailBlock {
  return button('See your trip cards', origin + portalPages.tripCards);
}
