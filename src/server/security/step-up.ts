import type { StepUpDetails, StepUpMethod } from '#contract/sign-in/schemas.ts';
import { requireCustomer } from '../customers/queries.ts';
import type { Database } from '../database/database.ts';
import type { Deps } from '../deps.ts';
import type { SignedIn } from '../http/api.ts';
import { ApiError } from '../http/api-error.ts';
import { isStillFresh } from '../sessions/sessions.ts';
import { strongMethodsOf } from './second-step.ts';

/**
 * Before anything that could lock the owner out: lets through whoever showed in the last ten minutes that it is
 * them, and tells the others how to.
 * @throws {ApiError} step_up_required with `details.methods`; session_expired when the session ended meanwhile
 */
export async function requireStepUp(
  deps: Pick<Deps, 'db' | 'clock'>,
  { customerId, sessionId, freshUntil }: SignedIn,
): Promise<void> {
  const isFresh = freshUntil !== null && freshUntil > deps.clock.now();
  if (isFresh && (await isStillFresh(deps, sessionId))) return;
  throw stepUpRequired(await stepUpMethodsOf(deps.db, customerId));
}

/**
 * How a customer can show that it is them. With two-step sign-in on, a password alone is not enough here
 * either; a mailed code is for those who have nothing else.
 */
export async function stepUpMethodsOf(db: Database, customerId: string): Promise<StepUpMethod[]> {
  const { mfaRequired } = await requireCustomer(db, customerId);
  const strong = await strongMethodsOf(db, customerId);
  const factors = strong.filter((method) => method !== 'password');
  const methods = mfaRequired && factors.length > 0 ? factors : strong;
  return methods.length > 0 ? methods : ['email_code'];
}

/** The refusal that names what would do instead. */
export function stepUpRequired(methods: StepUpMethod[]): ApiError {
  const details: StepUpDetails = { methods };
  return new ApiError('step_up_required', { details });
}
