import { type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { RouterProvider } from 'react-router/dom';
import { handleError } from '#web/platform/reporting/reporting.ts';
import type { AppRouter } from '#web/platform/router/app-router.ts';

export function App({ client, router }: { client: QueryClient; router: AppRouter }) {
  return (
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} onError={(error) => handleError(error)} />
      </QueryClientProvider>
    </StrictMode>
  );
}
