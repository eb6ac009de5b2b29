/** Largest archive of an uploaded timetable, in bytes. The command `npm run import` reads larger ones. */
export const UPLOAD_LIMIT_BYTES = 10 * 1024 * 1024;

/** What can be downloaded: the files that are edited most, and the whole current feed. */
export const PRICE_FILES = ['fares.csv', 'promo_codes.csv'] as const;
export const FEED_ARCHIVE = 'timetable.zip';

/** How many lines of each list of a difference are answered. */
export const DIFFERENCE_LINES = 1000;

/** How many changes can be taken back. */
export const KEPT_CHANGES = 10;
