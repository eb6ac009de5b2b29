import type { ComponentType } from 'react';
import type { StepUpMethod } from '#web/platform/api/types.ts';
import { createStore } from '#web/platform/create-store.ts';
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

onSessionCleared(cancelStepUp);

/** Asks the customer to confirm their identity. Simultaneous calls share one dialog. */
export async function confirmIdentity(methods: readonly StepUpMethod[]): Promise<boolean> {
  const { StepUpDialog } = await import('./step-up-dialog.tsx');
  const open = stepUpStore.get();
  if (open !== null) return open.settled;
  let settle: StepUpRequest['settle'] = () => undefined;
  const settled = new Promise<boolean>((resolve) => {
    settle = (isConfirmed) => {
      stepUpStore.set(null);
      resolve(isConfirmed);
    };
  });
  stepUpStore.set({ methods, Dialog: StepUpDialog, settle, settled });
  return settled;
}
