/** Limits of values that several places check: the API's schemas, the settings and the operator's files. */

/** The largest amount on the wire, in minor units. Limits of payment card charges are in card-charges.ts. */
export const AMOUNT_LIMIT = 99_999_999;

/** Characters of a code of the operator: passenger type, vehicle type, fare class, pass, promo code. */
export const CODE_LENGTH = 32;

/** Characters of the name of a customer or a traveler. */
export const PERSON_NAME_LENGTH = 120;

export const EMAIL_LENGTH = 254;

/** Characters of a telephone number as it is typed. */
export const PHONE_LENGTH = 32;

/** Characters of the name of a trip card, which a pass gives to its card. */
export const CARD_NAME_LENGTH = 60;

/** Characters of the name of a share of a price in taxes.csv. */
export const TAX_NAME_LENGTH = 60;

/** Characters of a customer's own name of a saved vehicle. */
export const VEHICLE_NAME_LENGTH = 40;

/** Characters of the name of a passkey. */
export const PASSKEY_NAME_LENGTH = 60;

/** Most passengers of an order that staff sell. The public may buy for `PARTY_LIMIT`. */
export const GROUP_LIMIT = 200;

/** Trips of a pass. */
export const PASS_TRIPS_LIMIT = 1000;

/** The largest sizes of a vehicle that can be bought online, in centimetres. */
export const VEHICLE_SIZE_LIMITS = { length: 3000, height: 600, trailer: 2000 } as const;

/** Length of what the receipt of an outside card terminal says. */
export const TERMINAL_REFERENCE_LENGTH = 40;

/** Days that the recipient of an invoice has to pay it, at most. */
export const INVOICE_DAYS_LIMIT = 180;

/** Length of what a bank statement says of a transfer. */
export const BANK_REFERENCE_LENGTH = 140;
