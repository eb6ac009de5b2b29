import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import type { HomeData } from '#contract/catalogue/schemas.ts';
import type { Departures } from '#contract/departures/schemas.ts';
import { fillPath, ticketPages } from '#contract/paths.ts';
import type { PageConfig } from '#contract/settings/schemas.ts';
import { type CamelCased, camelCased } from '#web/platform/api/case-conversion.ts';
import { providePageConfig } from '#web/platform/page-config.ts';
import { createQueryClient } from '#web/platform/query/query-client.ts';
import { createAppRouter, loadScreens } from '#web/platform/router/app-router.ts';
import { createMemoryHistory } from '#web/platform/router/history.ts';
import { departuresQuery } from '#web/tickets/departures/queries.ts';
import { openPurchase, PurchaseContext } from '#web/tickets/purchase.ts';
import { routes as ticketRoutes } from '#web/tickets/routes.tsx';
import { withRoot } from './app/root.tsx';
import { RouterView } from './app/router-view.tsx';

const routes = withRoot(ticketRoutes);
await loadScreens(routes, ticketPages.home);
await loadScreens(routes, ticketPages.portDepartures);

/**
 * The markup of the public home page, which the app hydrates in the browser. The same data must be embedded beside it.
 * Each call replaces the data of the previous one; calls are synchronous, so they do not overlap.
 */
export function renderHome(config: PageConfig, data: HomeData): string {
  providePageConfig(config, data);
  return renderScreen(ticketPages.home, createQueryClient());
}

/** The markup of a port's departures, which the app replaces with its own. */
export function renderDepartures(config: PageConfig, list: Departures): string {
  providePageConfig(config);
  const { code } = list.port;
  const client = createQueryClient();
  client.setQueryData(departuresQuery(code).queryKey, camelCased(list) as CamelCased<Departures>);
  return renderScreen(fillPath(ticketPages.portDepartures, { code }), client);
}

function renderScreen(path: string, client: QueryClient): string {
  const history = createMemoryHistory([path]);
  const router = createAppRouter(routes, client, { history, isLoaded: true });
  return renderToString(
    <StrictMode>
      <QueryClientProvider client={client}>
        <PurchaseContext value={openPurchase()}>
          <RouterView router={router} />
        </PurchaseContext>
      </QueryClientProvider>
    </StrictMode>,
  );
}
