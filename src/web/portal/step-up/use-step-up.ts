import { useEffect } from 'react';
import { whenIdle } from '#web/platform/next-task.ts';
import { loadStepUpDialog, runWithStepUp } from './step-up.ts';

/** For screens whose calls may need their customer to confirm that it is them. */
export function useStepUp(): { run: typeof runWithStepUp } {
  // A failure is found again, and told, when the dialog is needed.
  useEffect(() => whenIdle(() => void loadStepUpDialog().catch(() => undefined)), []);
  return STEP_UP;
}

const STEP_UP = { run: runWithStepUp };
