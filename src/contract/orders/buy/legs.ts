/** The parts of a trip, in order: outward, and the return journey. Each may continue on a second boat after a change. */
export const LEGS = ['out', 'out_onward', 'back', 'back_onward'] as const;
export type LegName = (typeof LEGS)[number];
