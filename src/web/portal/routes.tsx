import type { RouteObject } from 'react-router';
import { portalPages } from '#contract/paths.ts';
import { layout, redirectFrom, type ScreenOptions, screen } from '#web/platform/router/screen.ts';
import { NotFoundScreen } from './not-found-screen.tsx';
import { preloadOrders } from './orders/preload-orders.ts';
import { PortalFrame } from './portal-frame.tsx';
import { SignOutScreen } from './sign-out/sign-out-screen.tsx';

export const routes: RouteObject[] = [
  redirectFrom(portalPages.home, portalPages.orders),
  layout(PortalFrame, [
    screen({
      path: portalPages.signIn,
      name: 'signIn',
      guard: { signedOutOnly: 'You are already signed in' },
      lazy: () => import('./sign-in/sign-in-screen.tsx').then((module) => module.SignInScreen),
    }),
    // Not lazy: leaving must work without a connection.
    screen({ path: portalPages.signOut, name: 'signOut', component: SignOutScreen }),
    protectedScreen({
      path: portalPages.orders,
      name: 'orders',
      title: 'My Orders',
      preload: preloadOrders,
      lazy: () => import('./orders/orders-screen.tsx').then((module) => module.OrdersScreen),
    }),
    screen({ path: portalPages.notFound, name: 'not-found', component: NotFoundScreen }),
    redirectFrom('*', portalPages.notFound),
  ]),
];

function protectedScreen(options: ScreenOptions): RouteObject {
  return screen({ ...options, guard: 'signed-in' });
}
