import { portalPages } from '#contract/paths.ts';
import type { WebSettings } from '#contract/settings/schemas.ts';
import { formatContact } from '#domain/orders/contact.ts';
import type { AccountMailKind, AccountMessage } from '../account-mails.ts';
import type { MailBlock, MailContent } from '../mail-content.ts';
import { formatInstant, SECURITY_EVENT_TEXTS } from './security-event.ts';
import { tripCardMailTexts } from './trip-card.ts';

type TemplateInput = {
  settings: WebSettings;
  /** Configured origin of the portal; links never use the request's host. */
  origin: string;
  /** When the mail was caused. */
  askedAt: Date;
};
type MailTexts = {
  title: string;
  /** If it differs from the title, for the recipient's list of mails. */
  subject?: string;
  parts: readonly MailBlock[];
};

const DAY = 24 * 60;
/**
 * Minutes after which a mail is not sent any more, because the code or link in it has expired. Notifications have no
 * limit.
 */
const EXPIRY_MINUTES: Partial<Record<AccountMailKind, number>> = {
  'sign-in-code': 10,
  'step-up-code': 10,
  'no-account': 10,
  'reset-password': 30,
  'confirm-account': DAY,
  'confirm-email-change': DAY,
};

/** Whether the code or link in a mail of this kind has expired. */
export function isExpiredMail(kind: string, askedAt: Date, now: Date): boolean {
  const minutes = EXPIRY_MINUTES[kind as AccountMailKind];
  return minutes !== undefined && now.getTime() - askedAt.getTime() >= minutes * 60_000;
}

/**
 * The content of a mail about an account.
 * @throws if it would link to another site
 */
export function accountMailContent(
  message: AccountMessage,
  input: TemplateInput,
): { subject: string; content: MailContent } {
  const { settings, origin } = input;
  const { title, subject = title, parts } = createTexts(message, input);
  for (const part of parts) {
    if ('url' in part && new URL(part.url).origin !== origin) throw new Error('A link leads elsewhere.');
  }
  const content: MailContent = {
    brandName: settings.brand.name,
    accent: settings.brand.accent,
    title,
    parts,
    footer: [
      formatContact(settings.brand.name, settings.contact),
      `You’re receiving this because this address was used at ${settings.brand.name}.`,
    ],
  };
  return { subject, content };
}

function createTexts(message: AccountMessage, input: TemplateInput): MailTexts {
  const { origin, askedAt } = input;
  const brandName = input.settings.brand.name;
  switch (message.kind) {
    case 'sign-in-code':
      return signInCode(message.facts, askedAt);
    case 'step-up-code':
      return stepUpCode(message.facts, input);
    case 'no-account':
      return noAccount(message.facts, input);
    case 'confirm-account':
      return {
        title: 'Confirm your email address',
        parts: [
          text(`Someone, hopefully you, is creating a ${brandName} account with this address.`),
          { kind: 'button', label: 'Confirm and create the account', url: message.facts.link },
          text(
            'The link works for 24 hours. If this wasn’t you, ignore this email. Confirming would give the person who asked access to your orders.',
          ),
        ],
      };
    case 'account-exists':
      return {
        title: 'You already have an account',
        parts: [
          text(
            'Someone, hopefully you, tried to create an account with this address. It already has one, and nothing has changed.',
          ),
          { kind: 'button', label: 'Sign in', url: origin + portalPages.signIn },
          { kind: 'link', label: 'Set a new password', url: origin + portalPages.askForReset },
          text('If this wasn’t you, ignore this email.'),
        ],
      };
    case 'reset-password':
      return resetPassword(message.facts, askedAt);
    case 'confirm-email-change':
      return {
        title: 'Confirm your new email address',
        parts: [
          text(`Someone, hopefully you, wants to use this address for a ${brandName} account.`),
          { kind: 'button', label: 'Use this address', url: message.facts.link },
          text(
            'The link works for 24 hours. If this wasn’t you, ignore this email. Confirming would show them tickets bought with this address.',
          ),
        ],
      };
    case 'email-taken':
      return {
        title: 'Your account already uses this address',
        parts: [
          text(
            'Someone, hopefully you, tried to use this address for another account. Your account already uses it, so nothing has changed.',
          ),
          { kind: 'button', label: 'Sign in', url: origin + portalPages.signIn },
          text('If this wasn’t you, ignore this email.'),
        ],
      };
    case 'email-change-asked':
      return emailChangeRequested(message.facts, input);
    case 'email-changed':
      return emailChanged(message.facts, input);
    case 'email-change-undone':
      return {
        title: 'This address is yours again',
        parts: [
          text(
            'Your account uses this address again. We signed out every device and removed passkeys and authenticators added since the change.',
          ),
          text('Set a new password now to protect your account.'),
          { kind: 'button', label: 'Set a new password', url: origin + portalPages.askForReset },
        ],
      };
    case 'security-event':
      return securityEvent(message.facts, origin);
    case 'account-deleted':
      return {
        title: 'Your account is deleted',
        parts: [
          text(
            'We deleted your account and signed out every device. Tickets you bought stay valid until they are used.',
          ),
          text(`Thank you for traveling with ${brandName}.`),
        ],
      };
    case 'trip-card-low':
    case 'trip-card-topped-up':
    case 'trip-card-auto-stopped':
    case 'trip-card-disputed':
    case 'trip-card-lost':
    case 'trip-card-shared':
      return tripCardMailTexts(message, origin, brandName);
  }
}

function signInCode({ code, link, device }: FactsOf<'sign-in-code'>, askedAt: Date): MailTexts {
  return {
    title: 'Your sign-in code',
    subject: `${code} is your sign-in code`,
    parts: [
      text('Enter this code where you’re signing in:'),
      { kind: 'code', code },
      text('Or sign in on this device:'),
      { kind: 'button', label: 'Sign in', url: link },
      asked(device, askedAt),
      text('The code and the link work once, within 10 minutes. We will never ask you for this code.'),
      text('If you’re not signing in, ignore this email. Your account is safe without the code.'),
    ],
  };
}

function stepUpCode(
  { code, device }: FactsOf<'step-up-code'>,
  { origin, askedAt }: TemplateInput,
): MailTexts {
  return {
    title: 'Confirm it’s you',
    subject: `${code} is your code to confirm it’s you`,
    parts: [
      text('You’re about to change something important in your account. Enter this code to continue:'),
      { kind: 'code', code },
      asked(device, askedAt),
      text('The code works once, within 10 minutes. We will never ask you for this code.'),
      text('If this wasn’t you, someone else is signed in to your account. Sign out every other device:'),
      { kind: 'link', label: 'Check your devices', url: origin + portalPages.security },
    ],
  };
}

function noAccount({ device }: FactsOf<'no-account'>, { origin, askedAt }: TemplateInput): MailTexts {
  return {
    title: 'No account uses this address',
    parts: [
      text(
        'Someone, hopefully you, tried to sign in with this address. No account uses it. Your account may use another address.',
      ),
      asked(device, askedAt),
      { kind: 'link', label: 'Create an account', url: origin + portalPages.signUp },
      text('If this wasn’t you, ignore this email.'),
    ],
  };
}

function resetPassword({ link, device }: FactsOf<'reset-password'>, askedAt: Date): MailTexts {
  return {
    title: 'Set a new password',
    parts: [
      text('Someone, hopefully you, asked to set a new password for your account.'),
      { kind: 'button', label: 'Set a new password', url: link },
      asked(device, askedAt),
      text('The link works once, within 30 minutes. A new password signs out every device.'),
      text('If this wasn’t you, ignore this email. Your password stays the same.'),
    ],
  };
}

function emailChangeRequested(
  { newEmail, link, device }: FactsOf<'email-change-asked'>,
  { origin, askedAt }: TemplateInput,
): MailTexts {
  return {
    title: 'Your email address is about to change',
    parts: [
      text(
        'Someone signed in to your account asked to change its email address. It changes once the new address is confirmed.',
      ),
      { kind: 'facts', rows: [['New address', newEmail]] },
      asked(device, askedAt),
      { kind: 'heading', text: 'This wasn’t me' },
      text('Stop the change, then set a new password. That signs out every device.'),
      { kind: 'button', label: 'Stop the change', url: link },
      { kind: 'link', label: 'Set a new password', url: origin + portalPages.askForReset },
    ],
  };
}

function emailChanged(
  { newEmail, link, device }: FactsOf<'email-changed'>,
  { askedAt }: TemplateInput,
): MailTexts {
  return {
    title: 'Your email address has changed',
    parts: [
      text('Your account now uses a new email address. Our emails will go there.'),
      { kind: 'facts', rows: [['New address', newEmail]] },
      asked(device, askedAt),
      { kind: 'heading', text: 'This wasn’t me' },
      text('Restore this address and sign out every device. The link works for 7 days.'),
      { kind: 'button', label: 'Restore this address', url: link },
    ],
  };
}

function securityEvent({ event, device, at }: FactsOf<'security-event'>, origin: string): MailTexts {
  const { title, sentence } = SECURITY_EVENT_TEXTS[event];
  return {
    title,
    parts: [
      text(sentence),
      asked(device, new Date(at)),
      { kind: 'heading', text: 'This wasn’t me' },
      text('Set a new password. That signs out every device.'),
      { kind: 'button', label: 'Set a new password', url: origin + portalPages.askForReset },
      { kind: 'link', label: 'See your devices and ways to sign in', url: origin + portalPages.security },
    ],
  };
}

type FactsOf<Kind extends AccountMailKind> = Extract<AccountMessage, { kind: Kind }>['facts'];

function text(words: string): MailBlock {
  return { kind: 'text', text: words };
}

function asked(device: string, at: Date): MailBlock {
  return {
    kind: 'facts',
    rows: [
      ['Device', device],
      ['Time', formatInstant(at)],
    ],
  };
}
