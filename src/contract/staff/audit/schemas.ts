import * as z from 'zod/mini';
import { InstantSchema } from '#contract/common.ts';
import { describeCalls } from '#contract/endpoint.ts';
import { STAFF_ROLES } from '../permissions.ts';
import * as endpoints from './endpoints.ts';
import { AUDIT_ACTIONS, AUDIT_ACTOR_KINDS, AUDIT_OBJECT_KINDS } from './kinds.ts';

const AuditedValueSchema = z.union([z.string(), z.number(), z.boolean(), z.null()]);

export const AuditEntrySchema = z.object({
  seq: z.int(),
  at: InstantSchema,
  actor: z.object({
    kind: z.enum(AUDIT_ACTOR_KINDS),
    /** A staff member's id or the system user of a command; null for the server. */
    id: z.nullable(z.string()),
    /** A staff member's name as it is now. */
    name: z.nullable(z.string()),
    /** A staff member's role at that time. */
    role: z.nullable(z.enum(STAFF_ROLES)),
    device: z.nullable(z.string()),
  }),
  action: z.enum(AUDIT_ACTIONS),
  object: z.object({
    kind: z.enum(AUDIT_OBJECT_KINDS),
    id: z.string(),
    /**
     * What people call it: an order's reference, the last digits of a trip card, a name, or a sailing's local day, port
     * and time. Null if it is gone or has none.
     */
    label: z.nullable(z.string()),
    /** Of its amounts; null if it has none. */
    currency: z.nullable(z.string()),
  }),
  /** Only fields that the action changed. Null: the object did not have the field. */
  changes: z.array(z.object({ field: z.string(), before: AuditedValueSchema, after: AuditedValueSchema })),
  reason: z.nullable(z.string()),
});
export type AuditEntry = z.infer<typeof AuditEntrySchema>;

const AUDIT_LIST = {
  fields: {
    actor_id: { type: 'text' },
    actor_kind: { type: 'choice', values: AUDIT_ACTOR_KINDS },
    action: { type: 'choice', values: AUDIT_ACTIONS },
    object_id: { type: 'text' },
    at: { type: 'instant' },
  },
  pageSize: 50,
} as const;

export const auditCalls = describeCalls(endpoints, {
  listAuditEntries: {
    summary: 'List the entries of the audit log, newest first',
    list: AUDIT_LIST,
    response: z.array(AuditEntrySchema),
  },
  exportAuditLog: {
    summary: 'Download all entries of the audit log that match, as CSV; the log records it',
    list: AUDIT_LIST,
    response: { mediaType: 'text/csv' },
    errors: ['step_up_required'],
  },
});
