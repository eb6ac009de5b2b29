import { portalPages } from '#contract/paths.ts';
import { formatContact } from '#domain/orders/contact.ts';
import { message, type Translate } from '#messages/translate.ts';
import { nameDevice } from '#sentences/device.ts';
import { textsIn } from '#server/core/texts.ts';
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
import { formatEventTime, SECURITY_EVENT_TEXTS } from './security-event.ts';
import { STAFF_MAILS } from './staff.ts';
import { type AccountTemplates, NEW_PASSWORD, type TemplateInput, TRIP_CARD_MAILS } from './trip-cards.ts';

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
  'staff-invitation': 7 * DAY,
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
  mail: AccountMessage,
  input: TemplateInput,
): { subject: string; content: MailContent } {
  const { brand, contact, language } = input.settings;
  const t = textsIn(language);
  const { title, subject = title, parts } = createTexts(mail.kind, mail.data, input);
  for (const part of parts) {
    if (
      'url' in part &&
      ![input.origin, input.ticketOrigin, input.staffOrigin].includes(new URL(part.url).origin)
    )
      throw new Error('A link leads elsewhere.');
  }
  const footer = [
    formatContact(brand.name, contact),
    t('You’re receiving this because this address was used at {brand}.', { brand: brand.name }),
  ];
  const footerLinks = legalLinks(t, input.settings);
  return {
    subject,
    content: { language, brandName: brand.name, accent: brand.accent, title, parts, footer, footerLinks },
  };
}

function createTexts<Kind extends AccountMailKind>(
  kind: Kind,
  data: AccountMailData[Kind],
  input: TemplateInput,
): MailTexts {
  return TEMPLATES[kind](textsIn(input.settings.language), data, input);
}

const TEMPLATES: AccountTemplates = {
  'sign-in-code': (t, { code, link: url, device }, input) => ({
    title: t('Your sign-in code'),
    subject: t('{code} is your sign-in code', { code }),
    parts: [
      text(t('Enter this code where you’re signing in:')),
      { kind: 'code', code },
      text(t('Or sign in on this device:')),
      button(t('Sign in'), url),
      describeRequest(t, device, input),
      text(t('The code and the link work once, within 10 minutes. We will never ask you for this code.')),
      text(t('If you’re not signing in, ignore this email. Your account is safe without the code.')),
    ],
  }),
  'step-up-code': (t, { code, device }, input) => ({
    title: t('Confirm it’s you'),
    subject: t('{code} is your code to confirm it’s you', { code }),
    parts: [
      text(t('You’re about to change something important in your account. Enter this code to continue:')),
      { kind: 'code', code },
      describeRequest(t, device, input),
      text(t('The code works once, within 10 minutes. We will never ask you for this code.')),
      text(t('If this wasn’t you, someone else is signed in to your account. Sign out every other device:')),
      link(t('Check your devices'), input.origin + portalPages.security),
    ],
  }),
  'order-code': (t, { code, reference, device }, input) => ({
    title: t('Confirm it’s you'),
    subject: t('{code} is your code for order {reference}', { code, reference }),
    parts: [
      text(
        t(
          'Someone, hopefully you, wants to change order {reference} or cancel its tickets. Enter this code to continue:',
          { reference },
        ),
      ),
      { kind: 'code', code },
      describeRequest(t, device, input),
      text(t('The code works once, within 10 minutes. We will never ask you for this code.')),
      text(t('If this wasn’t you, ignore this email. Your order stays as it is.')),
    ],
  }),
  'tickets-shared': (t, { link: url, tickets, sailings }, { settings }) => ({
    title: tickets === 1 ? t('A ferry ticket for you') : t('Ferry tickets for you'),
    parts: [
      text(
        t(
          'Someone who bought tickets at {brand} has sent you {tickets, plural, one {one} other {# of them}}.',
          {
            brand: settings.brand.name,
            tickets,
          },
        ),
      ),
      { kind: 'list', items: sailings },
      button(tickets === 1 ? t('Open your ticket') : t('Open your tickets'), url),
      text(
        t(
          'Open the link on the phone that you travel with. The code for the gate stays on it, and works without a connection.',
        ),
      ),
      text(t('Anyone with this link can use the tickets, so keep it private.')),
      text(t('If you don’t expect tickets from anyone, ignore this email.')),
    ],
  }),
  'no-account': (t, { device }, input) => ({
    title: t('No account uses this address'),
    parts: [
      text(
        t(
          'Someone, hopefully you, tried to sign in with this address. No account uses it. Your account may use another address.',
        ),
      ),
      describeRequest(t, device, input),
      link(t('Create an account'), input.origin + portalPages.signUp),
      text(t(IGNORE)),
    ],
  }),
  'confirm-account': (t, { link: url }, { settings }) => ({
    title: t('Confirm your email address'),
    parts: [
      text(
        t('Someone, hopefully you, is creating a {brand} account with this address.', {
          brand: settings.brand.name,
        }),
      ),
      button(t('Confirm and create the account'), url),
      text(
        [
          t('The link works for 24 hours.'),
          t(IGNORE),
          t('Confirming would give the person who asked access to your orders.'),
        ].join(' '),
      ),
    ],
  }),
  'account-exists': (t, _, { origin }) => ({
    title: t('You already have an account'),
    parts: [
      text(
        t(
          'Someone, hopefully you, tried to create an account with this address. It already has one, and nothing has changed.',
        ),
      ),
      button(t('Sign in'), origin + portalPages.signIn),
      link(t(NEW_PASSWORD), origin + portalPages.askForReset),
      text(t(IGNORE)),
    ],
  }),
  'reset-password': (t, { link: url, device }, input) => ({
    title: t(NEW_PASSWORD),
    parts: [
      text(t('Someone, hopefully you, asked to set a new password for your account.')),
      button(t(NEW_PASSWORD), url),
      describeRequest(t, device, input),
      text(t('The link works once, within 30 minutes. A new password signs out every device.')),
      text(`${t(IGNORE)} ${t('Your password stays the same.')}`),
    ],
  }),
  'confirm-email-change': (t, { link: url }, { settings }) => ({
    title: t('Confirm your new email address'),
    parts: [
      text(
        t('Someone, hopefully you, wants to use this address for a {brand} account.', {
          brand: settings.brand.name,
        }),
      ),
      button(t('Use this address'), url),
      text(
        [
          t('The link works for 24 hours.'),
          t(IGNORE),
          t('Confirming would show them tickets bought with this address.'),
        ].join(' '),
      ),
    ],
  }),
  'email-taken': (t, _, { origin }) => ({
    title: t('Your account already uses this address'),
    parts: [
      text(
        t(
          'Someone, hopefully you, tried to use this address for another account. Your account already uses it, so nothing has changed.',
        ),
      ),
      button(t('Sign in'), origin + portalPages.signIn),
      text(t(IGNORE)),
    ],
  }),
  'email-change-asked': (t, { newEmail, link: url, device }, input) => ({
    title: t('Your email address is about to change'),
    parts: [
      text(
        t(
          'Someone signed in to your account asked to change its email address. It changes once the new address is confirmed.',
        ),
      ),
      definitions([t('New address'), newEmail]),
      describeRequest(t, device, input),
      heading(t(NOT_ME)),
      text(t('Stop the change, then set a new password. That signs out every device.')),
      button(t('Stop the change'), url),
      link(t(NEW_PASSWORD), input.origin + portalPages.askForReset),
    ],
  }),
  'email-changed': (t, { newEmail, link: url, device }, input) => ({
    title: t('Your email address has changed'),
    parts: [
      text(t('Your account now uses a new email address. Our emails will go there.')),
      definitions([t('New address'), newEmail]),
      describeRequest(t, device, input),
      heading(t(NOT_ME)),
      text(t('Restore this address and sign out every device. The link works for 7 days.')),
      button(t('Restore this address'), url),
    ],
  }),
  'email-change-undone': (t, _, { origin }) => ({
    title: t('This address is yours again'),
    parts: [
      text(
        t(
          'Your account uses this address again. We signed out every device and removed passkeys and authenticators added since the change.',
        ),
      ),
      text(t('Set a new password now to protect your account.')),
      button(t(NEW_PASSWORD), origin + portalPages.askForReset),
    ],
  }),
  'security-event': (t, { event, device, at }, input) => ({
    title: t(SECURITY_EVENT_TEXTS[event].title),
    parts: [
      text(t(SECURITY_EVENT_TEXTS[event].sentence)),
      describeRequest(t, device, { ...input, requestedAt: new Date(at) }),
      heading(t(NOT_ME)),
      text(t('Set a new password. That signs out every device.')),
      button(t(NEW_PASSWORD), input.origin + portalPages.askForReset),
      link(t('See your devices and ways to sign in'), input.origin + portalPages.security),
    ],
  }),
  'account-deleted': (t, _, { settings }) => ({
    title: t('Your account is deleted'),
    parts: [
      text(
        t(
          'We deleted your account and signed out every device. Tickets you bought stay valid until they are used.',
        ),
      ),
      text(t('Thank you for traveling with {brand}.', { brand: settings.brand.name })),
    ],
  }),
  ...TRIP_CARD_MAILS,
  ...STAFF_MAILS,
};

const IGNORE = message('If this wasn’t you, ignore this email.');
const NOT_ME = message('This wasn’t me');

function describeRequest(
  t: Translate,
  device: string,
  { requestedAt, timeZone, settings }: Pick<TemplateInput, 'requestedAt' | 'timeZone' | 'settings'>,
): MailBlock {
  return definitions(
    [t('Device'), nameDevice(t, device)],
    [t('Time'), formatEventTime(requestedAt, timeZone, settings.language)],
  );
}
