import { useEffect } from 'react';
import { whenIdle } from '#web/platform/next-task.ts';
import { loadStepUpDialog } from './step-up.ts';

/** For screens whose actions may require a step-up. */
export function usePreloadStepUp(): void {
  // A failure is reported when the dialog is needed.
  useEffect(() => whenIdle(() => void loadStepUpDialog().catch(() => undefined)), []);
}
