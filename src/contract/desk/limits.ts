/** The longest delay of a boat. */
export const DELAY_LIMIT_MINUTES = 1440;

/** For how many days a port is closed at once. */
export const CLOSURE_LIMIT_DAYS = 14;

/** Length of what passengers are told about a boat. */
export const PASSENGER_TEXT_LENGTH = 300;

/** In how many languages. */
export const LANGUAGE_LIMIT = 20;

/** How many changes one call ends: those of a vessel's whole day. */
export const CHANGES_LIMIT = 99;

/** Longest note that staff write about an order. */
export const ORDER_NOTE_LENGTH = 1000;

/** Longest reason for a refund. */
export const REFUND_REASON_LENGTH = 300;

/** Longest note about how a fare of a gate or a payout was settled. */
export const SETTLED_NOTE_LENGTH = 300;

/** Longest reason for answering a person's request about their data. */
export const PRIVACY_REASON_LENGTH = 300;

/** Longest note about the cash of a shift. */
export const DRAWER_NOTE_LENGTH = 300;

/** The most of a resource that is held back at once, in places or centimeters. */
export const HELD_BACK_LIMIT = 1_000_000;

/** Longest reason for holding places back. */
export const HELD_BACK_REASON_LENGTH = 200;

/** Most trip cards of one sale. */
export const CARD_SALE_LIMIT = 200;

/** Longest reason for a corrected balance. */
export const ADJUSTMENT_REASON_LENGTH = 120;
