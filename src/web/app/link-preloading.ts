import type { QueryClient } from '@tanstack/react-query';
import type { RouteObject } from 'react-router';
import { preloadScreen } from '#web/platform/router/app-router.ts';

/** From pointer down to click pass a hundred milliseconds: the next screen's bundle and data start then. */
export function installLinkPreloading(routes: RouteObject[], client: QueryClient): void {
  document.addEventListener('pointerdown', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    if (!(link instanceof HTMLAnchorElement) || link.origin !== window.location.origin) return;
    if (link.target === '' && !link.hasAttribute('download')) preloadScreen(routes, link.href, client);
  });
}
