/** The forms' messages about invalid input. A message of a single form is in that form. */
export const MESSAGES = {
  name: 'Enter your name.',
  label: 'Enter a name.',
  email: 'Enter an email address, like name@example.com.',
  phone: 'Enter a phone number, like +1 206 555 0142, or leave it empty.',
  shortPassword: 'Choose a longer password.',
  noPassword: 'Enter your password.',
  digits: 'Enter all 6 digits of the code.',
  amount: 'Enter an amount, like 10.00.',
  terms: 'Accept the terms of carriage to continue.',
} as const;

/** A rough check; the contract's schema is stricter, and the server refuses what it refuses. */
export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);
}

export function checkEmail(email: string): { email?: string } {
  return isEmail(email.trim()) ? {} : { email: MESSAGES.email };
}
