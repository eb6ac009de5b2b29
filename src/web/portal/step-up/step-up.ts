import type { ComponentType } from 'react';
import { ApiError } from '#web/platform/api/api-error.ts';
import type { StepUpMethod } from '#web/platform/api/types.ts';
import { createStore } from '#web/platform/create-store.ts';
import { onSessionCleared } from '#web/platform/session/session.ts';

export type StepUpDialogProps = {
  methods: readonly StepUpMethod[];
  onConfirmed: (token: string) => void;
  onCancel: () => void;
};

export type StepUpRequest = {
  methods: readonly StepUpMethod[];
  Dialog: ComponentType<StepUpDialogProps>;
  /** How the calls that wait for it learn what came of it. */
  settle: (isConfirmed: boolean) => void;
  settled: Promise<boolean>;
};

/** What is being asked for at the moment; the portal's frame shows it. */
export const stepUpStore = createStore<StepUpRequest | null>(null);

/** Somebody did not want to confirm. Nothing happened, so there is nothing to say. */
export class StepUpCancelled extends Error {
  override readonly name = 'StepUpCancelled';
}

/** Runs the call; where the server wants to be sure who it is, asks, and then runs it once more. */
export async function runWithStepUp<Data>(call: () => Promise<Data>): Promise<Data> {
  try {
    return await call();
  } catch (error) {
    const methods = findStepUpMethods(error);
    if (methods === null) throw error;
    if (!(await confirmOwner(methods))) throw new StepUpCancelled();
    return call();
  }
}

export function cancelStepUp(): void {
  stepUpStore.get()?.settle(false);
}

/** Not part of the screens that may ask for it: most visits never need it. */
export function loadStepUpDialog() {
  return import('./step-up-dialog.tsx').then((module) => module.StepUpDialog);
}

/** Written out, because the contract's own list would bring the schemas beside it into the bundle. */
const KNOWN_METHODS: readonly StepUpMethod[] = ['passkey', 'password', 'authenticator', 'email_code'];

onSessionCleared(cancelStepUp);

/** Calls that are refused at the same time share one dialog. */
async function confirmOwner(methods: readonly StepUpMethod[]): Promise<boolean> {
  const Dialog = await loadStepUpDialog();
  const open = stepUpStore.get();
  if (open !== null) return open.settled;
  let settle: StepUpRequest['settle'] = () => undefined;
  const settled = new Promise<boolean>((resolve) => {
    settle = (isConfirmed) => {
      stepUpStore.set(null);
      resolve(isConfirmed);
    };
  });
  stepUpStore.set({ methods, Dialog, settle, settled });
  return settled;
}

/** In the order in which they are offered: the quickest and safest first. */
function findStepUpMethods(error: unknown): StepUpMethod[] | null {
  if (!(error instanceof ApiError)) return null;
  const refusal = error.errors.find(({ code }) => code === 'step_up_required');
  if (refusal === undefined) return null;
  const offered = refusal.details?.methods;
  return KNOWN_METHODS.filter((method) => Array.isArray(offered) && offered.includes(method));
}
