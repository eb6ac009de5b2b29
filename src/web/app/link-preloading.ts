import type { QueryClient } from '@tanstack/react-query';
import type { RouteObject } from 'react-router';
import { preloadScreen } from '#web/platform/router/app-router.ts';

/** A hundred milliseconds pass between pointer down and click: the next screen starts loading then. */
export function installLinkPreloading(routes: RouteObject[], client: QueryClient): void {
  document.addEventListener('pointerdown', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    if (!(link instanceof HTMLAnchorElement) || link.origin !== window.location.origin) return;
    if (link.target === '' && !link.hasAttribute('download')) preloadScreen(routes, link.href, client);
  });
}
