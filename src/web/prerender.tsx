import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, matchRoutes, StaticRouterProvider } from 'react-router';
import type { HomeData } from '#contract/catalogue/schemas.ts';
import { ticketPages } from '#contract/paths.ts';
import type { PageConfig } from '#contract/settings/schemas.ts';
import { providePageConfig } from '#web/platform/page-config.ts';
import { createQueryClient } from '#web/platform/query/query-client.ts';
import { loadScreens } from '#web/platform/router/app-router.ts';
import { openPurchase, PurchaseContext } from '#web/tickets/purchase.ts';
import { routes as ticketRoutes } from '#web/tickets/routes.tsx';
import { withRoot } from './app/root.tsx';

const routes = withRoot(ticketRoutes);
const loaderData = await loadScreens(routes, ticketPages.home);

/**
 * The markup of the public home page, which the app hydrates in the browser. The same data must be embedded beside it.
 * Each call replaces the data of the previous one; calls are synchronous, so they do not overlap.
 */
export function renderHome(config: PageConfig, data: HomeData): string {
  providePageConfig(config, data);
  const { dataRoutes, match } = createStaticHandler(routes);
  const context: Parameters<typeof createStaticRouter>[1] = {
    basename: '/',
    location: { pathname: ticketPages.home, search: '', hash: '', state: null, key: 'default' },
    matches: matchRoutes(dataRoutes, ticketPages.home) ?? [],
    loaderData,
    actionData: null,
    errors: null,
    statusCode: 200,
    loaderHeaders: {},
    _match: match,
    actionHeaders: {},
  };
  return renderToString(
    <StrictMode>
      <QueryClientProvider client={createQueryClient()}>
        <PurchaseContext value={openPurchase()}>
          <StaticRouterProvider
            router={createStaticRouter(dataRoutes, context)}
            context={context}
            hydrate={false}
          />
        </PurchaseContext>
      </QueryClientProvider>
    </StrictMode>,
  );
}
