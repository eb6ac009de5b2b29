import { lazy, Suspense } from 'react';
import { useIdle } from '#web/platform/use-idle.ts';

const Card = lazy(() =>
  import('./invitation-card.tsx').then(
    (module) => ({ default: module.InvitationCard }),
    // Without a connection the invitation is left out.
    () => ({ default: Nothing }),
  ),
);

/** Offers to install the app once the page is idle. */
export function InstallInvitation() {
  return useIdle() ? (
    <Suspense fallback={null}>
      <Card />
    </Suspense>
  ) : null;
}

function Nothing() {
  return null;
}
