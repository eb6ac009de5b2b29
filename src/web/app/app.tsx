import { IsRestoringProvider, type QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { type ReactNode, StrictMode, useEffect, useLayoutEffect } from 'react';
import { type DataRouter, RouterProvider } from 'react-router';
import { type Store, useStore } from '#web/platform/create-store.ts';
import { onRouterError } from './react-errors.ts';

type AppProps = {
  client: QueryClient;
  router: DataRouter;
  /** True while saved data is being restored into the client. */
  isRestoring?: Store<boolean> | undefined;
  /** Called when the first screen is rendered, or the prerendered one hydrated. */
  onRendered?: () => void;
};

export function App({ client, router, isRestoring, onRendered }: AppProps) {
  // In the frame of the first render, because its removal recalculates the styles of the whole page.
  useLayoutEffect(() => document.getElementById('start-help')?.remove(), []);
  useEffect(() => onRendered?.(), [onRendered]);
  const screens = <RouterProvider router={router} onError={onRouterError} />;
  return (
    <StrictMode>
      <QueryClientProvider client={client}>
        {isRestoring ? <Restoring isRestoring={isRestoring}>{screens}</Restoring> : screens}
      </QueryClientProvider>
    </StrictMode>
  );
}

/** Queries fetch nothing until saved data is restored. */
function Restoring({ isRestoring, children }: { isRestoring: Store<boolean>; children: ReactNode }) {
  return <IsRestoringProvider value={useStore(isRestoring)}>{children}</IsRestoringProvider>;
}
