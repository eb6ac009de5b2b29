import { createContext, use, useCallback } from 'react';
import type { To } from 'react-router';
import type { AppRouter, NavigateOptions } from './app-router.ts';
import type { ScreenHandle } from './screen.ts';

/** The router, with the screen that it shows. */
export const RouterContext = createContext<{ router: AppRouter; screen: ScreenHandle | null } | null>(null);

type Navigate = (to: To | number, options?: NavigateOptions) => Promise<void>;

/** In contrast to the hook of react-router, its promise resolves when the next screen is loaded. */
export function useNavigate(): Navigate {
  const { router } = useRouter();
  return useCallback((to, options) => router.navigate(to, options), [router]);
}

export function useScreen(): ScreenHandle | null {
  return useRouter().screen;
}

function useRouter() {
  const context = use(RouterContext);
  if (context === null) throw new Error('There is no router around this component.');
  return context;
}
