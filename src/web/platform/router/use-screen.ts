import { createContext, use } from 'react';
import type { ScreenHandle } from './screen.ts';

/** The screen of the address; null if it has none. */
export const ScreenContext = createContext<ScreenHandle | null>(null);

export function useScreen(): ScreenHandle | null {
  return use(ScreenContext);
}
