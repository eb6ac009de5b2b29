import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { useStore } from '#web/platform/create-store.ts';
import { setIdentityCheck } from '#web/platform/forms/step-up.ts';
import { renewToken } from '#web/platform/session/session.ts';
import { cancelStepUp, confirmIdentity, stepUpStore } from './step-up.ts';

/** In the portal's frame, so that every screen's actions can ask for a step-up. */
export function StepUpHost() {
  const request = useStore(stepUpStore);
  const { pathname } = useLocation();
  useEffect(() => setIdentityCheck(confirmIdentity), []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a request ends with the screen that made it
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
