/** What a passenger can ask assistance for; anything else is in the note. */
export const ASSISTANCE_NEEDS = ['wheelchair', 'boarding', 'sight', 'hearing'] as const;
export type AssistanceNeed = (typeof ASSISTANCE_NEEDS)[number];

export const ASSISTANCE_NOTE_LENGTH = 200;
