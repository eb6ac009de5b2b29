import { eq } from 'drizzle-orm';
import type { ChangeCustomer } from '#contract/identity/accounts/schemas.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import { customers } from '#server/database/schema/people.ts';
import { inTransaction } from '#server/database/transactions.ts';
import { ApiError } from '#server/http/api-error.ts';
import { sendSoon } from '#server/mail/account-mails.ts';
import {
  type CustomerRow,
  lockOwner,
  normalizeEmail,
  type OwnerOnDevice,
  requireCustomer,
} from '../customers.ts';
import { setTwoStep } from '../security/second-step.ts';
import { reportSecurityEvent } from '../security/security-events.ts';
import { withdrawEmailChange } from './change-email.ts';

type ChangeInput = OwnerOnDevice & {
  change: ChangeCustomer;
  /** Throws step_up_required unless the owner recently confirmed their identity. */
  requireStepUp: () => Promise<void>;
};

/**
 * Changes the fields a customer may change directly, all or none, and returns the stored values. Security-relevant
 * changes are mailed to the owner.
 * @throws {ApiError} use_change_email, second_factor_missing, step_up_required
 */
export async function changeCustomer(
  context: Context,
  { change, requireStepUp, ...owner }: ChangeInput,
): Promise<CustomerRow> {
  const before = await requireCustomer(context.db, owner.customerId);
  refuseOtherAddress(before, change);
  if (change.mfa_required === false && before.mfaRequired) await requireStepUp();
  const { stored, mailIds } = await inTransaction(context.db, async (tx) => {
    const customer = await lockOwner(tx, context, owner);
    const mailIds = await applyChange(tx, context, { before, customer, change, owner });
    return { stored: await requireCustomer(tx, customer.id), mailIds };
  });
  sendSoon(context.jobs, ...mailIds);
  return stored;
}

/** Sensitive fields have separate calls, which verify the owner first. */
function refuseOtherAddress(
  customer: CustomerRow,
  { email, pending_email: pendingEmail }: ChangeCustomer,
): void {
  if (email !== undefined && normalizeEmail(email.trim()) !== normalizeEmail(customer.email)) {
    throw new ApiError('use_change_email', { field: 'email' });
  }
  // An empty value withdraws a change of address; only the mailed link can complete one.
  if (pendingEmail !== undefined && pendingEmail !== '') {
    throw new ApiError('use_change_email', { field: 'pending_email' });
  }
}

/** @returns the ids of the mails to send */
async function applyChange(
  tx: Database,
  context: Context,
  {
    before,
    customer,
    change,
    owner,
  }: { before: CustomerRow; customer: CustomerRow; change: ChangeCustomer; owner: OwnerOnDevice },
): Promise<string[]> {
  const { device } = owner;
  const { name = customer.name, phone = customer.phone, mfa_required: isOn = customer.mfaRequired } = change;
  // Visitors who share the demo account keep their own languages.
  const language = customer.isDemo ? null : (change.language ?? customer.language);
  const mailIds: string[] = [];
  // Two-step sign-in turned on after the step-up check stays on, because this request is older.
  const maySwitch = isOn || before.mfaRequired;
  if (isOn !== customer.mfaRequired && maySwitch) {
    mailIds.push(await setTwoStep(tx, context, { owner, isOn, device }));
  }
  if (change.pending_email === '' && customer.pendingEmail !== '') {
    await withdrawEmailChange(tx, context, customer.id);
  }
  if (name === customer.name && phone === customer.phone && language === customer.language) return mailIds;
  await tx
    .update(customers)
    .set({ name, phone, language, updatedAt: context.clock.now() })
    .where(eq(customers.id, customer.id));
  if (phone !== customer.phone) {
    const event = { customerId: customer.id, kind: 'phone_changed', device } as const;
    mailIds.push(await reportSecurityEvent(tx, context, event));
  }
  return mailIds;
}
