import type { SecurityEventKind } from '#contract/identity/security/schemas.ts';
import { formatInstant } from '#domain/format/dates.ts';
import { getZoneLabel } from '#domain/time/port-time.ts';
import { type Message, message } from '#messages/translate.ts';

/** Texts of the mails about security events of an account. */
export const SECURITY_EVENT_TEXTS: Readonly<
  Record<SecurityEventKind, { title: Message; sentence: Message }>
> = {
  account_created: {
    title: message('Your account is ready'),
    sentence: message('Your email address is confirmed. Orders made with it are in your account.'),
  },
  signed_in_on_new_device: {
    title: message('A new device signed in'),
    sentence: message('Someone signed in to your account on a new device.'),
  },
  password_changed: {
    title: message('Your password was changed'),
    sentence: message('Your password was changed. All other devices are signed out.'),
  },
  password_reset: {
    title: message('Your password was reset'),
    sentence: message('A new password was set with the link we emailed you. Every device is signed out.'),
  },
  password_switched_off: {
    title: message('Your password was switched off'),
    sentence: message(
      'A wrong password was entered a hundred times in a row. To protect your account, set a new password before you use one again. You can still sign in with a code we email you.',
    ),
  },
  email_change_asked: {
    title: message('Your email address is about to change'),
    sentence: message('Someone signed in to your account asked to change its email address.'),
  },
  email_changed: {
    title: message('Your email address has changed'),
    sentence: message('Your account now uses this email address. All other devices are signed out.'),
  },
  email_change_undone: {
    title: message('This address is yours again'),
    sentence: message('The change of your email address was undone. Every device is signed out.'),
  },
  phone_changed: {
    title: message('Your phone number was changed'),
    sentence: message('The phone number on your account was changed.'),
  },
  passkey_added: {
    title: message('A passkey was added'),
    sentence: message('You can now sign in with a new passkey.'),
  },
  passkey_removed: {
    title: message('A passkey was removed'),
    sentence: message('A passkey was removed. It can no longer be used to sign in.'),
  },
  authenticator_added: {
    title: message('An authenticator was added'),
    sentence: message('You can now use codes from an authenticator app to sign in.'),
  },
  authenticator_removed: {
    title: message('The authenticator was removed'),
    sentence: message('Codes from your authenticator app can no longer be used to sign in.'),
  },
  recovery_codes_made: {
    title: message('New recovery codes were created'),
    sentence: message('Ten new recovery codes were created. Your old codes no longer work.'),
  },
  recovery_code_used: {
    title: message('A recovery code was used'),
    sentence: message(
      'One of your recovery codes was used instead of your authenticator. Each code works once.',
    ),
  },
  second_step_locked: {
    title: message('Too many wrong codes'),
    sentence: message(
      'Someone passed the first sign-in step, then entered too many wrong codes. Codes are blocked for a while.',
    ),
  },
  mfa_on: {
    title: message('Two-step sign-in is on'),
    sentence: message('Signing in to your account now needs a second step.'),
  },
  mfa_off: {
    title: message('Two-step sign-in is off'),
    sentence: message('Signing in to your account no longer needs a second step.'),
  },
  primary_card_added: {
    title: message('You have a new primary payment card'),
    sentence: message('A payment card was added to your account. It is now your primary card.'),
  },
  sessions_ended: {
    title: message('Devices were signed out'),
    sentence: message('One or more devices were signed out of your account.'),
  },
  data_exported: {
    title: message('Your data was downloaded'),
    sentence: message('A copy of your data was downloaded from your account.'),
  },
};

/** "Nov 21, 2026, 3:20 AM PST": the reader's zone is unknown, so it is the operator's. */
export function formatEventTime(instant: Date, zone: string, language: string): string {
  const at = instant.getTime();
  return `${formatInstant('dateAndClock', at, { language, zone })} ${getZoneLabel(at, zone)}`;
}
