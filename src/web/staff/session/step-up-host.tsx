import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { setIdentityCheck } from '#web/platform/forms/step-up.ts';

const StepUpDialog = lazy(() =>
  import('./step-up-dialog.tsx').then((module) => ({ default: module.StepUpDialog })),
);

/** In the frame, so that every screen's actions can ask who is there. */
export function StepUpHost() {
  const settle = useRef<(isConfirmed: boolean) => void>(null);
  const [isOpen, setIsOpen] = useState(false);
  useEffect(
    () =>
      setIdentityCheck(
        () =>
          new Promise<boolean>((resolve) => {
            // The action that asked before is over.
            settle.current?.(false);
            settle.current = resolve;
            setIsOpen(true);
          }),
      ),
    [],
  );
  function close(isConfirmed: boolean) {
    settle.current?.(isConfirmed);
    settle.current = null;
    setIsOpen(false);
  }
  if (!isOpen) return null;
  return (
    <Suspense>
      <StepUpDialog onConfirmed={() => close(true)} onCancel={() => close(false)} />
    </Suspense>
  );
}
