import { QueryClient } from '@tanstack/react-query';
import type { Route } from '#web/navigation/screens.tsx';
import { type AppRouter, createAppRouter } from '#web/platform/router/app-router.ts';
import { createMemoryHistory } from '#web/platform/router/history.ts';

/** The app's router over a session history of these addresses, of which the last one is open. */
export function createTestRouter(
  routes: Route[],
  addresses?: readonly string[],
  client = new QueryClient(),
): AppRouter {
  return createAppRouter(routes, client, { history: createMemoryHistory(addresses) });
}
