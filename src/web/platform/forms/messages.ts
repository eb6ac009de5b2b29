import { t } from '#web/language/texts.ts';
import { findPhoneExample } from './phone-example.ts';

/** The forms' messages about invalid input, in the page's language. A message of a single form is in that form. */
export const MESSAGES = {
  get name() {
    return t('Enter your name.');
  },
  get label() {
    return t('Enter a name.');
  },
  get email() {
    return t('Enter an email address, like name@example.com.');
  },
  get phone() {
    return t('Enter a phone number{example, select, none {} other {, like {example},}} or leave it empty.', {
      example: findPhoneExample(),
    });
  },
  get shortPassword() {
    return t('Choose a longer password.');
  },
  get noPassword() {
    return t('Enter your password.');
  },
  get digits() {
    return t('Enter all 6 digits of the code.');
  },
  get terms() {
    return t('Accept the terms of carriage to continue.');
  },
};

/** A rough check; the contract's schema is stricter, and the server refuses what it refuses. */
export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);
}

export function checkEmail(email: string): { email?: string } {
  return isEmail(email.trim()) ? {} : { email: MESSAGES.email };
}
