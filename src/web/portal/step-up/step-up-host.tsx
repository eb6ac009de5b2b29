import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { useStore } from '#web/platform/create-store.ts';
import { renewToken } from '#web/platform/session/session.ts';
import { cancelStepUp, stepUpStore } from './step-up.ts';

/** Stands in the portal's frame, so that any of its screens may ask. */
export function StepUpHost() {
  const request = useStore(stepUpStore);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was asked for belongs to the screen that asked
  useEffect(() => cancelStepUp, [pathname]);
  if (request === null) return null;
  const { Dialog, methods, settle } = request;
  return (
    <Dialog
      methods={methods}
      onConfirmed={(token) => {
        renewToken(token);
        settle(true);
      }}
      onCancel={() => settle(false)}
    />
  );
}
