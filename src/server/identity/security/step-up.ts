import type { StepUpDetails, StepUpMethod } from '#contract/identity/sign-in/schemas.ts';
import type { Context } from '#server/context.ts';
import type { Database } from '#server/database/database.ts';
import type { CustomerSession } from '#server/http/api.ts';
import { ApiError } from '#server/http/api-error.ts';
import { requireCustomer } from '../customers.ts';
import { isFresh, isStillFresh } from '../sessions.ts';
import { listStrongMethods } from './second-step.ts';

/**
 * Guards sensitive actions: requires that the caller confirmed their identity within the last ten minutes.
 * @throws {ApiError} step_up_required with `details.methods`; session_expired if the session has ended
 */
export async function requireStepUp(
  context: Pick<Context, 'db' | 'clock'>,
  session: CustomerSession,
): Promise<void> {
  const { customerId, sessionId } = session;
  if (isFresh(session, context.clock.now()) && (await isStillFresh(context, sessionId))) return;
  throw stepUpRequired(await listStepUpMethods(context.db, customerId));
}

/** A handler that requires a step-up of its caller first. */
export function withStepUp<Input extends { session: CustomerSession }, HttpRequest, Result>(
  context: Context,
  handler: (input: Input, c: HttpRequest) => Result | Promise<Result>,
): (input: Input, c: HttpRequest) => Promise<Result> {
  return async (input, c) => {
    await requireStepUp(context, input.session);
    return handler(input, c);
  };
}

/**
 * The methods by which a customer can confirm their identity. With two-step sign-in on, a password alone is not
 * sufficient; a mailed code is offered only if there is no other method.
 */
export async function listStepUpMethods(db: Database, customerId: string): Promise<StepUpMethod[]> {
  const { mfaRequired } = await requireCustomer(db, customerId);
  const strong = await listStrongMethods(db, customerId);
  const factors = strong.filter((method) => method !== 'password');
  const methods = mfaRequired && factors.length > 0 ? factors : strong;
  return methods.length > 0 ? methods : ['email_code'];
}

/** The error with the available methods. */
export function stepUpRequired(methods: StepUpMethod[]): ApiError {
  const details: StepUpDetails = { methods };
  return new ApiError('step_up_required', { details });
}
