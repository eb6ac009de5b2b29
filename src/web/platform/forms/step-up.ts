import { ApiError } from '../api/api-error.ts';
import type { StepUpMethod } from '../api/types.ts';
import { createStore } from '../create-store.ts';

/** Asks the customer to confirm their identity; resolves to whether they did. */
type IdentityCheck = (methods: readonly StepUpMethod[]) => Promise<boolean>;

/** The customer closed the dialog. Nothing happened, so nothing is shown. */
export class StepUpCanceled extends Error {
  override readonly name = 'StepUpCanceled';
}

const identityCheck = createStore<{ check: IdentityCheck } | null>(null);

/** Used by every action until the returned function is called. */
export function setIdentityCheck(check: IdentityCheck): () => void {
  identityCheck.set({ check });
  return () => identityCheck.set((current) => (current?.check === check ? null : current));
}

/** Runs the call. If the server requires a step-up, runs it again after the customer confirmed their identity. */
export async function runWithStepUp<Data>(call: () => Promise<Data>): Promise<Data> {
  try {
    return await call();
  } catch (error) {
    const methods = findStepUpMethods(error);
    const check = identityCheck.get()?.check;
    if (methods === null || check === undefined) throw error;
    if (!(await check(methods))) throw new StepUpCanceled();
    return call();
  }
}

/** In the order in which they are offered: the quickest and safest first. */
const KNOWN_METHODS: readonly StepUpMethod[] = ['passkey', 'password', 'authenticator', 'email_code'];

function findStepUpMethods(error: unknown): StepUpMethod[] | null {
  if (!(error instanceof ApiError)) return null;
  const refusal = error.errors.find(({ code }) => code === 'step_up_required');
  if (refusal === undefined) return null;
  const offered = refusal.details?.methods;
  return KNOWN_METHODS.filter((method) => Array.isArray(offered) && offered.includes(method));
}
