import { useEffect } from 'react';
import { t } from '#web/language/texts.ts';
import { pageTitle } from '#web/platform/router/screen.ts';
import { useSettings } from '#web/platform/settings/settings.ts';

/** Names the port in the document's title, in place of the page's title. */
export function usePortTitle(name: string): void {
  const title = pageTitle(t('Departures from {port}', { port: name }), useSettings().brand.name);
  useEffect(() => {
    document.title = title;
  }, [title]);
}
