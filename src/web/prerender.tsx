import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { renderToString } from 'react-dom/server';
import type { HomeData } from '#contract/catalogue/schemas.ts';
import { ticketPages } from '#contract/paths.ts';
import type { PageConfig } from '#contract/settings/schemas.ts';
import { providePageConfig } from '#web/platform/page-config.ts';
import { createQueryClient } from '#web/platform/query/query-client.ts';
import { createAppRouter, loadScreens } from '#web/platform/router/app-router.ts';
import { createMemoryHistory } from '#web/platform/router/history.ts';
import { openPurchase, PurchaseContext } from '#web/tickets/purchase.ts';
import { routes as ticketRoutes } from '#web/tickets/routes.tsx';
import { setTextLanguage } from '#web/ui/text-language.ts';
import { withRoot } from './app/root.tsx';
import { RouterView } from './app/router-view.tsx';

const routes = withRoot(ticketRoutes);
await loadScreens(routes, ticketPages.home);

/**
 * The markup of the public home page, which the app hydrates in the browser. The same data must be embedded beside it.
 * Each call replaces the data of the previous one; calls are synchronous, so they do not overlap.
 */
export function renderHome(config: PageConfig, data: HomeData): string {
  providePageConfig(config, data);
  setTextLanguage(config.settings.language);
  const client = createQueryClient();
  const history = createMemoryHistory([ticketPages.home]);
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
