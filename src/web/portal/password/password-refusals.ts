/** Refusals of a new password, and the field they are said beside. */
export const PASSWORD_REFUSALS = {
  password_too_short: 'password',
  password_too_long: 'password',
  password_too_common: 'password',
} as const;
