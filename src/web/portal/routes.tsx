import type { RouteObject } from 'react-router';
import { portalPages } from '#contract/paths.ts';
import { layout, redirectFrom, type ScreenOptions, screen } from '#web/platform/router/screen.ts';
import { openAccountData } from '#web/platform/saved-data/account-data.ts';
import { preloadAccount } from './account/primary-card.ts';
import { NotFoundScreen } from './not-found-screen.tsx';
import { preloadOrders } from './orders/preload-orders.ts';
import { preloadPaymentMethods } from './payment-methods/preload-payment-methods.ts';
import { PortalFrame } from './portal-frame.tsx';
import { preloadSecurity } from './security/preload-security.ts';
import { SignOutScreen } from './sign-out/sign-out-screen.tsx';
import { preloadBalance, preloadTopUps, preloadTripCards } from './trip-cards/preload-trip-cards.ts';

const USE_SECURITY_PAGE = 'Use the Password & Security page to reset your password when already signed in';

/** Starts before the first screen does. */
export const openSavedData = openAccountData;

export const routes: RouteObject[] = [
  redirectFrom(portalPages.home, portalPages.orders),
  layout(PortalFrame, [
    screen({
      path: portalPages.signIn,
      name: 'signIn',
      title: 'Sign in',
      guard: { signedOutOnly: 'You are already signed in' },
      lazy: () => import('./sign-in/sign-in-screen.tsx').then((module) => module.SignInScreen),
    }),
    screen({
      path: portalPages.signUp,
      name: 'signUp',
      title: 'Create an account',
      guard: { signedOutOnly: 'You cannot signup when you are already signed in.' },
      lazy: () => import('./sign-up/sign-up-screen.tsx').then((module) => module.SignUpScreen),
    }),
    screen({
      path: portalPages.verifyAccount,
      name: 'verify-account',
      title: 'Confirm your account',
      guard: { signedOutOnly: 'You cannot complete a new signup when you are already signed in' },
      lazy: () => import('./verify/verify-account-screen.tsx').then((module) => module.VerifyAccountScreen),
    }),
    screen({
      path: portalPages.askForReset,
      name: 'send-reset-password-instructions',
      title: 'Reset Password',
      guard: { signedOutOnly: USE_SECURITY_PAGE },
      lazy: () => import('./password/ask-for-reset-screen.tsx').then((module) => module.AskForResetScreen),
    }),
    screen({
      path: portalPages.newPassword,
      name: 'reset-password',
      title: 'Reset Password',
      guard: { signedOutOnly: USE_SECURITY_PAGE },
      lazy: () => import('./password/new-password-screen.tsx').then((module) => module.NewPasswordScreen),
    }),
    screen({
      path: portalPages.verifyMagicLink,
      name: 'verify-magic-link',
      title: 'Sign in',
      guard: { signedOutOnly: 'Cannot use a magic link when already signed in' },
      lazy: () => import('./sign-in/magic-link-screen.tsx').then((module) => module.MagicLinkScreen),
    }),
    screen({
      path: portalPages.verifyEmail,
      name: 'verify-email-change',
      title: 'Confirm your new email address',
      lazy: () => import('./verify/verify-email-screen.tsx').then((module) => module.VerifyEmailScreen),
    }),
    screen({
      path: portalPages.undoEmail,
      name: 'undo-email-change',
      title: 'Keep your old email address',
      lazy: () => import('./verify/undo-email-screen.tsx').then((module) => module.UndoEmailScreen),
    }),
    // Not lazy: leaving must work without a connection.
    screen({ path: portalPages.signOut, name: 'signOut', title: 'Sign out', component: SignOutScreen }),
    protectedScreen({
      path: portalPages.orders,
      name: 'orders',
      title: 'My Orders',
      readable: true,
      preload: preloadOrders,
      lazy: () => import('./orders/orders-screen.tsx').then((module) => module.OrdersScreen),
    }),
    protectedScreen({
      path: portalPages.account,
      name: 'my-account',
      title: 'My Account',
      preload: preloadAccount,
      lazy: () => import('./account/account-screen.tsx').then((module) => module.AccountScreen),
    }),
    protectedScreen({
      path: portalPages.security,
      name: 'security',
      title: 'Password & Security',
      preload: preloadSecurity,
      lazy: () => import('./security/security-screen.tsx').then((module) => module.SecurityScreen),
    }),
    protectedScreen({
      path: portalPages.paymentMethods,
      name: 'payment-methods',
      title: 'Payment Methods',
      preload: preloadPaymentMethods,
      lazy: () =>
        import('./payment-methods/payment-methods-screen.tsx').then((module) => module.PaymentMethodsScreen),
    }),
    protectedScreen({
      path: portalPages.tripCards,
      name: 'trip-cards',
      title: 'Trip Cards',
      readable: true,
      preload: preloadTripCards,
      lazy: () => import('./trip-cards/trip-cards-screen.tsx').then((module) => module.TripCardsScreen),
    }),
    protectedScreen({
      path: portalPages.tripCardBalance,
      name: 'trip-card-balance-history',
      title: 'Trip Card Balance',
      readable: true,
      preload: preloadBalance,
      lazy: () => import('./trip-cards/balance-screen.tsx').then((module) => module.BalanceScreen),
    }),
    protectedScreen({
      path: portalPages.tripCardTopUps,
      name: 'trip-card-top-up-history',
      title: 'Trip Card Top-ups',
      readable: true,
      preload: preloadTopUps,
      lazy: () => import('./trip-cards/top-ups-screen.tsx').then((module) => module.TopUpsScreen),
    }),
    screen({
      path: portalPages.notFound,
      name: 'not-found',
      title: 'Page not found',
      component: NotFoundScreen,
    }),
    redirectFrom('*', portalPages.notFound),
  ]),
];

function protectedScreen(options: ScreenOptions): RouteObject {
  return screen({ ...options, guard: 'signed-in' });
}
