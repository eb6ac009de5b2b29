/** What was done with personal data. `old_orders_erased`: by the hourly job. */
export const PRIVACY_ACTS = [
  'guest_exported',
  'guest_erased',
  'account_exported',
  'account_deleted',
  'old_orders_erased',
] as const;
export type PrivacyAct = (typeof PRIVACY_ACTS)[number];
