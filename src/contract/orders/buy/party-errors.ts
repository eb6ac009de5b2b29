import { message } from '#messages/translate.ts';

/**
 * Texts of errors that the browser detects before it asks for a price. In a separate module, so that the first
 * screens do not load the texts of all other errors.
 */
export const partyErrorTexts = {
  no_passengers: message('Choose at least one passenger.'),
  needs_adult: message('Children travel with an adult. Please add an adult.'),
  party_too_large: message('That is more than can be bought at once. Please call us.'),
  vehicles_not_carried: message('This route carries no vehicles. Choose another route, or go on foot.'),
  bicycles_not_carried: message('This route carries no bicycles. Choose another route, or travel without.'),
} as const;
