import { QueryClient } from '@tanstack/react-query';
import { createMemoryRouter, type DataRouter, type RouteObject } from 'react-router';
import { routerContext } from '#web/platform/router/app-router.ts';

/** A router over a session history of these addresses, of which the last one is open. */
export function createTestRouter(
  routes: RouteObject[],
  addresses: readonly string[] = ['/'],
  client = new QueryClient(),
): DataRouter {
  return createMemoryRouter(routes, {
    initialEntries: [...addresses],
    getContext: () => routerContext(client),
  });
}
