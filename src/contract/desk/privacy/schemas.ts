import * as z from 'zod/mini';
import { EmailSchema, IdSchema, InstantSchema, plainText } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { AuditEntrySchema } from '#contract/staff/audit/schemas.ts';
import { PRIVACY_REASON_LENGTH } from '../limits.ts';
import * as endpoints from './endpoints.ts';
import { PRIVACY_ACTS } from './kinds.ts';

const StoredPersonSchema = z.object({
  /** Null: no account. */
  customer_id: z.nullable(IdSchema),
  /** In the account, and bought without one under the address. */
  orders: z.int(),
  mails: z.int(),
  /** Why the orders cannot be erased yet, as sentences. */
  blockers: z.array(z.string()),
});
export type StoredPerson = z.infer<typeof StoredPersonSchema>;

const RequestSchema = z.strictObject({
  email: EmailSchema,
  /** The audit log keeps it. */
  reason: plainText(1, PRIVACY_REASON_LENGTH),
});

const PrivacyRecordSchema = z.object({
  id: IdSchema,
  at: InstantSchema,
  kind: z.enum(PRIVACY_ACTS),
  /** Whether the account's owner, the server's job or the operator did it. */
  actor: z.enum(['customer', 'server', 'operator']),
  /** Of the operator: a staff member's name, or the system user of a command. */
  by: z.nullable(z.string()),
  orders: z.int(),
});
export type PrivacyRecord = z.infer<typeof PrivacyRecordSchema>;

const PrivacyOverviewSchema = z.object({
  /** The last exports and erasures, newest first. */
  records: z.array(PrivacyRecordSchema),
  /** How long the server keeps data, as its environment says. */
  keep: z.object({
    /** After the last sailing. */
    orders_days: z.int(),
    /** Also pushes and text messages. */
    mails_days: z.int(),
    security_events_days: z.int(),
    records_days: z.int(),
    /** After the arrival. */
    passenger_lists_hours: z.int(),
  }),
});
export type PrivacyOverview = z.infer<typeof PrivacyOverviewSchema>;

export const staffPrivacyCalls = describeCalls(endpoints, {
  findStoredPerson: {
    summary: 'Count what is stored about an address, and say why it cannot be erased yet',
    query: z.object({ email: EmailSchema }),
    response: StoredPersonSchema,
  },
  exportStoredPerson: {
    summary: 'Export everything stored about an address and its account; the owner of an account is mailed',
    body: RequestSchema,
    response: z.record(z.string(), z.unknown()),
    errors: ['step_up_required', 'privacy_refused'],
  },
  eraseStoredPerson: {
    summary: 'Erase an address and its account from everything stored, or nothing; sums and tickets stay',
    body: RequestSchema,
    response: z.object({ orders: z.int(), had_account: z.boolean() }),
    errors: ['step_up_required', 'privacy_refused'],
  },
  getPrivacyOverview: {
    summary: 'List the last exports and erasures, without whom they were about, and how long data is kept',
    response: PrivacyOverviewSchema,
  },
  listCustomerViews: {
    summary:
      'List who looked at, exported or erased the data of a customer: the account, trip cards, orders, and the lists of boats with these orders',
    list: { fields: {}, pageSize: 20 },
    response: z.array(AuditEntrySchema),
    errors: ['not_found'],
  },
});
