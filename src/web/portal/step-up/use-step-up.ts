import { useEffect } from 'react';
import { runWithStepUp } from '#web/platform/forms/step-up.ts';
import { whenIdle } from '#web/platform/next-task.ts';
import { loadStepUpDialog } from './step-up.ts';

/** For screens whose actions may require a step-up. */
export function usePreloadStepUp(): void {
  // A failure is reported when the dialog is needed.
  useEffect(() => whenIdle(() => void loadStepUpDialog().catch(() => undefined)), []);
}

export function useStepUp(): { run: typeof runWithStepUp } {
  usePreloadStepUp();
  return STEP_UP;
}

const STEP_UP = { run: runWithStepUp };
