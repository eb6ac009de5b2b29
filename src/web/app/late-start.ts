import type { QueryClient } from '@tanstack/react-query';
import type { DataRouter } from 'react-router';
import { openConsent } from '#web/features/consent/open-consent.ts';
import { startOutsideScripts } from '#web/platform/analytics/outside-scripts.ts';
import { isInstalled, requestPersistentStorage, usesSplashImages } from '#web/platform/install/device.ts';
import { pageConfig } from '#web/platform/page-config.ts';
import { followSettings } from '#web/platform/settings/follow-settings.ts';
import { loadSettings } from '#web/platform/settings/load-settings.ts';

/** Starts what waits until the first screen is idle: worker, updates, fresh settings, analytics. */
export function startLate(router: DataRouter, client: QueryClient): void {
  // Without a worker everything works, except offline.
  void import('#web/platform/worker/worker.ts').then(
    ({ startWorker }) => startWorker(),
    () => undefined,
  );
  if (pageConfig().version !== 'development') {
    void import('#web/platform/updates/updates.ts').then(
      ({ startUpdates }) => startUpdates(router, client),
      () => undefined,
    );
  }
  if (isInstalled()) void requestPersistentStorage();
  else if (usesSplashImages()) {
    void import('#web/platform/install/splash.ts')
      .then(({ provideSplash }) => provideSplash())
      .catch(() => undefined);
  }
  void loadSettings()
    .then(startOutsideScripts)
    .then((needsConsent) => (needsConsent ? openConsent('start') : undefined));
  followSettings(router);
}
