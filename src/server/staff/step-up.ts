import type { StepUpDetails } from '#contract/identity/sign-in/schemas.ts';
import type { StaffStepUp } from '#contract/staff/schemas.ts';
import type { Context } from '../context.ts';
import type { StaffSession } from '../http/api.ts';
import { ApiError } from '../http/api-error.ts';
import type { Client } from '../http/client.ts';
import { isFresh } from '../identity/sessions.ts';
import { findStaff } from './members.ts';
import { verifyStaffPasskey } from './passkeys.ts';
import { checkStaffCode } from './second-step.ts';
import { renewFreshness } from './sessions.ts';

/**
 * Guards refunds, exports, changes of rights and of the timetable: requires that the caller confirmed their identity within the last ten
 * minutes.
 * @throws {ApiError} step_up_required with `details.methods`
 */
export function requireStaffStepUp({ clock }: Pick<Context, 'clock'>, session: StaffSession): void {
  if (isFresh(session, clock.now())) return;
  const details: StepUpDetails = { methods: ['passkey', 'authenticator'] };
  throw new ApiError('step_up_required', { details });
}

/** A handler that requires a step-up of its caller first. */
export function withStaffStepUp<Input extends { session: StaffSession }, HttpRequest, Result>(
  context: Pick<Context, 'clock'>,
  handler: (input: Input, c: HttpRequest) => Result | Promise<Result>,
): (input: Input, c: HttpRequest) => Promise<Result> {
  return async (input, c) => {
    requireStaffStepUp(context, input.session);
    return handler(input, c);
  };
}

/**
 * Confirms the identity of a signed-in staff member. Unlike a customer's, the token stays: no script can read it.
 * @throws {ApiError} invalid_code, unknown_credential, passkey_refused, attempt_expired, rate_limited
 */
export async function stepUpStaff(
  context: Context,
  { client, session, proof }: { client: Client; session: StaffSession; proof: StaffStepUp },
): Promise<void> {
  if ('code' in proof) {
    const member = await findStaff(context.db, session.staffId);
    if (!member) throw new ApiError('session_expired');
    await checkStaffCode(context, member, proof.code);
  } else {
    const { staffId } = await verifyStaffPasskey(context, { client, ...proof });
    if (staffId !== session.staffId) throw new ApiError('passkey_refused');
  }
  await renewFreshness(context, session);
}
