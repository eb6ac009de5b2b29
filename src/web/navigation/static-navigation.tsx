import type { ReactNode } from 'react';
import { AddressContext, NavigatorContext } from './navigation.ts';

type StaticNavigationProps = { pathname?: string; children: ReactNode };

/** For components outside of the app: the address stays, and links lead nowhere. */
export function StaticNavigation({ pathname = '/', children }: StaticNavigationProps) {
  const location = { pathname, search: '', hash: '', state: null, key: 'default' };
  return (
    <NavigatorContext value={{ state: { location }, navigate: () => Promise.resolve() }}>
      <AddressContext value={{ location, params: {}, historyAction: 'POP', isFirst: true }}>
        {children}
      </AddressContext>
    </NavigatorContext>
  );
}
