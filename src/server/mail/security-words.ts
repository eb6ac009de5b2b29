import type { SecurityEventKind } from '#contract/security.ts';

/** What the owner is told when something about the account's safety happened. */
export const SECURITY_WORDS: Readonly<Record<SecurityEventKind, { title: string; sentence: string }>> = {
  account_created: {
    title: 'Your account is ready',
    sentence: 'Your email address is confirmed, and orders made with it are in your account.',
  },
  signed_in_on_new_device: {
    title: 'A new device signed in',
    sentence: 'Your account was signed in to on a device we have not seen before.',
  },
  password_changed: {
    title: 'Your password was changed',
    sentence: 'Your password was changed, and all other devices are signed out.',
  },
  password_reset: {
    title: 'Your password was reset',
    sentence: 'A new password was set with a link we emailed you, and every device is signed out.',
  },
  password_switched_off: {
    title: 'Your password was switched off',
    sentence:
      'Somebody gave wrong passwords a hundred times in a row. To keep your account safe, your password opens nothing until you set a new one. You can still sign in with a code we email you.',
  },
  email_change_asked: {
    title: 'Your email address is about to change',
    sentence: 'Somebody signed in to your account asked to use another email address.',
  },
  email_changed: {
    title: 'Your email address has changed',
    sentence: 'Your account uses this email address now, and all other devices are signed out.',
  },
  email_change_undone: {
    title: 'This address is yours again',
    sentence: 'The change of your email address has been taken back, and every device is signed out.',
  },
  phone_changed: {
    title: 'Your phone number was changed',
    sentence: 'The phone number of your account was changed.',
  },
  passkey_added: {
    title: 'A passkey was added',
    sentence: 'Your account can now be signed in to with a new passkey.',
  },
  passkey_removed: {
    title: 'A passkey was removed',
    sentence: 'A passkey no longer opens your account.',
  },
  authenticator_added: {
    title: 'An authenticator was added',
    sentence: 'Codes of an authenticator app are now taken as the second step of signing in.',
  },
  authenticator_removed: {
    title: 'The authenticator was removed',
    sentence: 'Codes of your authenticator app no longer open your account.',
  },
  recovery_codes_made: {
    title: 'New recovery codes were made',
    sentence: 'Ten new recovery codes were made. Those you had before no longer work.',
  },
  recovery_code_used: {
    title: 'A recovery code was used',
    sentence: 'One of your recovery codes was used instead of your authenticator. It will not work again.',
  },
  second_step_locked: {
    title: 'Too many wrong codes',
    sentence:
      'Somebody passed the first step of signing in to your account and then gave many wrong codes. We take no more codes for a while.',
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
    sentence: 'A payment card was added to your account, and it is now your primary card.',
  },
  sessions_ended: {
    title: 'Devices were signed out',
    sentence: 'One or more devices were signed out of your account from another device.',
  },
  data_exported: {
    title: 'Your data was downloaded',
    sentence: 'A copy of everything we keep about you was downloaded from your account.',
  },
};

/** "21 November 2026, 11:20 UTC": readers are anywhere, so the time says whose it is. */
export function instantInWords(instant: Date): string {
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' }).format(instant);
  return `${day}, ${instant.toISOString().slice(11, 16)} UTC`;
}
