import { lazy, Suspense } from 'react';
import { useIdle } from '#web/platform/use-idle.ts';

const Card = lazy(() =>
  import('./invitation-card.tsx').then(
    (module) => ({ default: module.InvitationCard }),
    // Without a connection there is no invitation; that is no failure of the screen it would stand on.
    () => ({ default: Nothing }),
  ),
);

/**
 * Asks whether the app should be installed, where the app has just been of use: at the end of a screen with tickets
 * or trip cards. Comes when the page has nothing better to do.
 */
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
