import { useEffect, useRef } from 'react';
import { useLocation, useNavigate, useRouteError } from 'react-router';
import { t } from '#web/language/texts.ts';
import { errorText } from '#web/platform/api/api-error.ts';
import { useApiAvailable } from '#web/platform/connection/connection.ts';
import { isOutdatedBundle } from '#web/platform/reporting/classify.ts';
import { reloadPage } from '#web/platform/updates/reload.ts';
import { EmptyState } from '#web/ui/feedback/empty-state.tsx';
import { Button } from '#web/ui/form/button.tsx';

/** In place of a screen that failed or could not be loaded. */
export function ErrorScreen() {
  const error = useRouteError();
  const isMissing = isOutdatedBundle(error);
  const isAvailable = useApiAvailable();
  useTryWhenBack(isMissing);
  if (isMissing && !isAvailable) {
    return (
      <EmptyState titleAs="h1" title={t('This page needs a connection')}>
        {t('It opens automatically as soon as there is one.')}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      titleAs="h1"
      title={isMissing ? t('Please reload the page') : errorText(error)}
      action={<Button onClick={reloadPage}>{t('Reload Page')}</Button>}
    >
      {isMissing
        ? t('This part of the page could not be loaded.')
        : t('It has been reported. Reloading may help.')}
    </EmptyState>
  );
}

/** Repeats the navigation when the connection returns, if it failed because of the connection. */
function useTryWhenBack(isMissing: boolean): void {
  const navigate = useNavigate();
  const location = useLocation();
  const isAvailable = useApiAvailable();
  const wasLost = useRef(false);
  useEffect(() => {
    if (!isAvailable) wasLost.current = true;
    if (!isMissing || !isAvailable || !wasLost.current) return;
    wasLost.current = false;
    void navigate(location, { replace: true, state: location.state });
  }, [isMissing, isAvailable, navigate, location]);
}
