/** How many events one call takes. */
export const GATE_EVENTS_LIMIT = 200;

/** For this long a departure that was reported by mistake can be taken back. In milliseconds. */
export const DEPARTURE_UNDO_MS = 10 * 60_000;

/** Length of a device's name. */
export const DEVICE_NAME_LENGTH = 40;

/** Length of the reason for letting people aboard whose ticket is refused. */
export const REASON_LENGTH = 200;

/** Length of what staff note to recognize a party in the queue. */
export const QUEUE_LABEL_LENGTH = 60;
/** How many people one fare at the gate is for, at most. */
export const FARE_PEOPLE_LIMIT = 20;

/** For this long a fare that was taken by mistake is given back at the gate. In milliseconds. */
export const FARE_UNDO_MS = 5 * 60_000;

/** Of the tags that a device has, separated by commas, so that they fit an address: those of 400 sailings. */
export const PACK_TAGS_LENGTH = 4800;

/** How long places are held for a buyer who pays by a mailed link. */
export const PAYMENT_LINK_MIN_MINUTES = 15;
export const PAYMENT_LINK_MAX_MINUTES = 24 * 60;
