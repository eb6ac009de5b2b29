import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from 'react-router';
import type { HomeData } from '#contract/catalogue/schemas.ts';
import { ticketPages } from '#contract/paths.ts';
import type { PageConfig } from '#contract/settings/schemas.ts';
import type { Catalogue } from '#messages/translate.ts';
import { setTextLanguage } from '#web/language/page-language.ts';
import { setMessages } from '#web/language/texts.ts';
import { providePageConfig } from '#web/platform/page-config.ts';
import { createQueryClient } from '#web/platform/query/query-client.ts';
import { loadScreens } from '#web/platform/router/app-router.ts';
import { openPurchase, PurchaseContext } from '#web/tickets/purchase.ts';
import { routes as ticketRoutes } from '#web/tickets/routes.tsx';
import { withRoot } from './app/root.tsx';

const routes = withRoot(ticketRoutes);
const loaderData = await loadScreens(routes, ticketPages.home);
const handler = createStaticHandler(routes);
// No loader runs: the page's data comes from the caller.
const context = await handler.query(new Request(new URL(ticketPages.home, 'http://localhost')), {
  filterMatchesToLoad: () => false,
});
if (context instanceof Response) throw new Error('The home page redirects.');
const staticContext = { ...context, loaderData };

/**
 * The markup of the public home page in a language, which the app hydrates in the browser. The same data must be embedded
 * beside it.
 * Each call replaces the data of the previous one; calls are synchronous, so they do not overlap.
 */
export function renderHome(config: PageConfig, data: HomeData, catalogues: readonly Catalogue[]): string {
  providePageConfig(config, data);
  setTextLanguage(config.settings.language);
  setMessages(Object.assign({}, ...catalogues) as Catalogue);
  return renderToString(
    <StrictMode>
      <QueryClientProvider client={createQueryClient()}>
        <PurchaseContext value={openPurchase()}>
          <StaticRouterProvider
            router={createStaticRouter(handler.dataRoutes, staticContext)}
            context={staticContext}
            hydrate={false}
          />
        </PurchaseContext>
      </QueryClientProvider>
    </StrictMode>,
  );
}
