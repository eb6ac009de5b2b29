import { useRouteError } from 'react-router';
import { errorText } from '#web/platform/api/api-error.ts';
import { isOutdatedBundle } from '#web/platform/reporting/classify.ts';
import { reloadPage } from '#web/platform/updates/reload.ts';
import { Button } from '#web/ui/button.tsx';
import { EmptyState } from '#web/ui/empty-state.tsx';

export function ErrorScreen() {
  const error = useRouteError();
  const outdated = isOutdatedBundle(error);
  return (
    <main id="main" tabIndex={-1}>
      <EmptyState
        titleAs="h1"
        title={outdated ? 'Please reload the page' : errorText(error)}
        action={<Button onClick={reloadPage}>Reload Page</Button>}
      >
        {outdated
          ? 'This part of the page could not be loaded.'
          : 'It has been reported. Reloading may help.'}
      </EmptyState>
    </main>
  );
}
