import type { WebSettings } from '#contract/settings/schemas.ts';
import { hasAcceptedTerms } from '#web/platform/settings/terms.ts';
import { EMAIL_PROBLEM, isEmail, type Problems } from '../forms/problems.ts';
import { missingCharacters } from '../password/use-strength.ts';

export type RegistrationForm = {
  name: string;
  email: string;
  phone: string;
  password: string;
  /** The version of the terms that was accepted. */
  acceptedTerms: string | null;
};
export type RegistrationField = 'name' | 'email' | 'phone' | 'password' | 'terms_version';

export const NO_REGISTRATION: RegistrationForm = {
  name: '',
  email: '',
  phone: '',
  password: '',
  acceptedTerms: null,
};
/** In the order of the form, as the wire names them. */
export const REGISTRATION_FIELDS: readonly RegistrationField[] = [
  'name',
  'email',
  'phone',
  'password',
  'terms_version',
];

/** What can be seen to be wrong before anything is sent. */
export function checkRegistration(
  { name, email, phone, password, acceptedTerms }: RegistrationForm,
  terms: WebSettings['terms'],
): Problems<RegistrationField> {
  const problems: Problems<RegistrationField> = {};
  if (name.trim() === '') problems.name = 'Enter your name.';
  if (!isEmail(email.trim())) problems.email = EMAIL_PROBLEM;
  if (!isPhone(phone)) problems.phone = 'Enter a phone number, like +1 206 555 0142, or leave it empty.';
  if (missingCharacters(password) > 0) problems.password = 'Choose a longer password.';
  if (!hasAcceptedTerms(terms, acceptedTerms)) {
    problems.terms_version = 'Accept the terms of carriage to continue.';
  }
  return problems;
}

function isPhone(text: string): boolean {
  return /^(\+?\d{6,15})?$/.test(text.trim().replace(/[\s().-]/g, ''));
}
