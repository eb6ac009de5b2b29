/** Stored for a card that its owner has not named. Screens show it in their language. */
export const DEFAULT_CARD_NAME = 'Trip card';
