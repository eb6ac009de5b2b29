import { type ComponentType, useEffect } from 'react';
import type { StepUpMethod } from '#web/platform/api/types.ts';
import { createStore } from '#web/platform/create-store.ts';
import { whenIdle } from '#web/platform/next-task.ts';
import { onSessionCleared } from '#web/platform/session/session.ts';
import type { StepUpDialogProps } from './step-up-dialog.tsx';

export type StepUpRequest = {
  methods: readonly StepUpMethod[];
  Dialog: ComponentType<StepUpDialogProps>;
  settle: (isConfirmed: boolean) => void;
  settled: Promise<boolean>;
};

/** The open request; the portal's frame shows its dialog. */
export const stepUpStore = createStore<StepUpRequest | null>(null);

export function cancelStepUp(): void {
  stepUpStore.get()?.settle(false);
}

/** Loaded apart, because most visits never need it. */
function loadStepUpDialog() {
  return import('./step-up-dialog.tsx').then((module) => module.StepUpDialog);
}

/** For screens whose actions may require a step-up. */
export function usePreloadStepUp(): void {
  // A failure is reported when the dialog is needed.
  useEffect(() => whenIdle(() => void loadStepUpDialog().catch(() => undefined)), []);
}

onSessionCleared(cancelStepUp);

/** Asks the customer to confirm their identity. Simultaneous calls share one dialog. */
export async function confirmIdentity(methods: readonly StepUpMethod[]): Promise<boolean> {
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
