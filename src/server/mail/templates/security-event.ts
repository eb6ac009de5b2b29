import type { SecurityEventKind } from '#contract/identity/security/schemas.ts';
import { formatInstant } from '#domain/format/dates.ts';
import { getZoneLabel } from '#domain/time/port-time.ts';

/** Texts of the mails about security events of an account. */
export const SECURITY_EVENT_TEXTS: Readonly<Record<SecurityEventKind, { title: string; sentence: string }>> =
  {
    account_created: {
      title: 'Your account is ready',
      sentence: 'Your email address is confirmed. Orders made with it are in your account.',
    },
    signed_in_on_new_device: {
      title: 'A new device signed in',
      sentence: 'Someone signed in to your account on a new device.',
    },
    password_changed: {
      title: 'Your password was changed',
      sentence: 'Your password was changed. All other devices are signed out.',
    },
    password_reset: {
      title: 'Your password was reset',
      sentence: 'A new password was set with the link we emailed you. Every device is signed out.',
    },
    password_switched_off: {
      title: 'Your password was switched off',
      sentence:
        'A wrong password was entered a hundred times in a row. To protect your account, set a new password before you use one again. You can still sign in with a code we email you.',
    },
    email_change_asked: {
      title: 'Your email address is about to change',
      sentence: 'Someone signed in to your account asked to change its email address.',
    },
    email_changed: {
      title: 'Your email address has changed',
      sentence: 'Your account now uses this email address. All other devices are signed out.',
    },
    email_change_undone: {
      title: 'This address is yours again',
      sentence: 'The change of your email address was undone. Every device is signed out.',
    },
    phone_changed: {
      title: 'Your phone number was changed',
      sentence: 'The phone number on your account was changed.',
    },
    passkey_added: {
      title: 'A passkey was added',
      sentence: 'You can now sign in with a new passkey.',
    },
    passkey_removed: {
      title: 'A passkey was removed',
      sentence: 'A passkey was removed. It can no longer be used to sign in.',
    },
    authenticator_added: {
      title: 'An authenticator was added',
      sentence: 'You can now use codes from an authenticator app to sign in.',
    },
    authenticator_removed: {
      title: 'The authenticator was removed',
      sentence: 'Codes from your authenticator app can no longer be used to sign in.',
    },
    recovery_codes_made: {
      title: 'New recovery codes were created',
      sentence: 'Ten new recovery codes were created. Your old codes no longer work.',
    },
    recovery_code_used: {
      title: 'A recovery code was used',
      sentence: 'One of your recovery codes was used instead of your authenticator. Each code works once.',
    },
    second_step_locked: {
      title: 'Too many wrong codes',
      sentence:
        'Someone passed the first sign-in step, then entered too many wrong codes. Codes are blocked for a while.',
    },
    mfa_on: {
      title: 'Two-step sign-in is on',
      sentence: 'Signing in to your account now needs a second step.',
    },
    mfa_off: {
      title: 'Two-step sign-in is off',
      sentence: 'Signing in to your account no longer needs a second step.',
    },
    primary_card_added: {
      title: 'You have a new primary payment card',
      sentence: 'A payment card was added to your account. It is now your primary card.',
    },
    sessions_ended: {
      title: 'Devices were signed out',
      sentence: 'One or more devices were signed out of your account.',
    },
    data_exported: {
      title: 'Your data was downloaded',
      sentence: 'A copy of your data was downloaded from your account.',
    },
  };

/** "Nov 21, 2026, 3:20 AM PST": the reader's zone is unknown, so it is the operator's. */
export function formatEventTime(instant: Date, zone: string, language: string): string {
  const at = instant.getTime();
  return `${formatInstant('dateAndClock', at, { language, zone })} ${getZoneLabel(at, zone)}`;
}
