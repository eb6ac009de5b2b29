import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { createRoot } from 'react-dom/client';
import { RouterProvider } from 'react-router/dom';
import { createFloorRouter } from './screens.tsx';

const client = new QueryClient({ defaultOptions: { queries: { staleTime: 30_000, retry: false } } });

createRoot(document.getElementById('root') as HTMLElement).render(
  <QueryClientProvider client={client}>
    <RouterProvider router={createFloorRouter()} />
  </QueryClientProvider>,
);
