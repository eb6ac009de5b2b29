/** All tests of the server; they run on PostgreSQL, except those that open embedded databases by themselves. */
export const SERVER_TESTS = 'tests/server/**/*.test.ts';
export const ONLY_EMBEDDED = ['tests/server/database/data-folder.test.ts'];

/**
 * What the embedded engine can change, and runs on it too: its start and files, its single connection and with it locks
 * and transactions, the values that its driver returns, and the random histories. Process and browser tests run the
 * whole product on it.
 */
export const ENGINE_DEPENDENT = [
  'tests/server/{backups,capacity,database,histories,jobs,keys,privacy}/*.test.ts',
  'tests/server/{orders,payment-cards,trip-cards}/histories.test.ts',
  'tests/server/payments/trip-card-histories.test.ts',
  'tests/server/abuse/paying-while-changing.test.ts',
  'tests/server/desk/refunds.test.ts',
  'tests/server/orders/order-list.test.ts',
  'tests/server/orders/buy/{holds,last-place}.test.ts',
  'tests/server/http/{database-away,idempotency,unstorable-text}.test.ts',
  'tests/server/sailings/import.test.ts',
];

/** What sells, changes, cancels, refunds and imports runs on the oldest supported PostgreSQL too. */
export const VERSION_DEPENDENT = [
  'tests/server/{capacity,database,orders/buy,orders/cancel,orders/change,orders/rebook}/*.test.ts',
  'tests/server/payments/{payments,late-payments,paid-to-staff,refund-order,trip-card-payments}.test.ts',
  'tests/server/{orders,passes,trip-cards}/*.test.ts',
  'tests/server/sailings/{import,offers,renamed-lines}.test.ts',
];
/** The random histories send no other statements than the tests beside them. */
export const NOT_VERSION_DEPENDENT = [...ONLY_EMBEDDED, 'tests/server/{orders,trip-cards}/histories.test.ts'];
