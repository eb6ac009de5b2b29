/** As in passports. */
export const GENDERS = ['female', 'male', 'unspecified'] as const;
export type Gender = (typeof GENDERS)[number];

/** Length of what a traveler says about care in an emergency. */
export const CARE_LENGTH = 200;
