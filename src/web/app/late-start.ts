import type { QueryClient } from '@tanstack/react-query';
import type { DataRouter } from 'react-router';
import { openConsent } from '#web/features/consent/open-consent.ts';
import { followAccountLanguage } from '#web/features/site/account-language.ts';
import { startOutsideScripts } from '#web/platform/analytics/outside-scripts.ts';
import { isInstalled, requestPersistentStorage, usesSplashImages } from '#web/platform/install/device.ts';
import { provideSplash } from '#web/platform/install/splash.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { followSettings } from '#web/platform/settings/follow-settings.ts';
import { loadSettings } from '#web/platform/settings/load-settings.ts';
import { startUpdates } from '#web/platform/updates/updates.ts';
import { startWorker } from '#web/platform/worker/worker.ts';
import { followSky } from './follow-sky.ts';

/** Starts what waits until the first screen is idle: worker, updates, the account's language, fresh settings, analytics. */
export function startLate(router: DataRouter, client: QueryClient): void {
  void startWorker();
  if (pageConfig().version !== 'development') startUpdates(router, client);
  followAccountLanguage();
  if (isInstalled()) void requestPersistentStorage();
  else if (usesSplashImages()) void provideSplash().catch(() => undefined);
  void loadSettings()
    .then(startOutsideScripts)
    .then((needsConsent) => (needsConsent ? openConsent('start') : undefined));
  followSettings(router);
  followSky();
}
