/**
 * Errors of `apiErrors` that the browser detects before it asks for a price. In a separate module, so that the first
 * screens do not load the texts of all other errors.
 */
export const partyErrors = {
  no_passengers: { status: 422, message: 'Choose at least one passenger.' },
  needs_adult: { status: 422, message: 'Children travel with an adult. Please add an adult.' },
  party_too_large: { status: 422, message: 'That is more than can be bought at once. Please call us.' },
  vehicles_not_carried: {
    status: 422,
    message: 'This route carries no vehicles. Choose another route, or go on foot.',
  },
  bicycles_not_carried: {
    status: 422,
    message: 'This route carries no bicycles. Choose another route, or travel without.',
  },
} as const;
