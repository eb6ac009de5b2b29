import type { RouteObject } from 'react-router';
import { ticketPages } from '#contract/paths.ts';
import { orderQuery } from '#web/platform/query/queries.ts';
import { layout, redirectFrom, screen } from '#web/platform/router/screen.ts';
import { NotFoundScreen } from './not-found-screen.tsx';
import { TicketsFrame } from './tickets-frame.tsx';

/** The design system on one page, for developers; a build leaves it out. */
const gallery: RouteObject = {
  path: '/gallery',
  lazy: { Component: () => import('#web/ui/gallery/gallery.tsx').then((m) => m.Gallery) },
};

const homeScreen = () => import('./home/home-screen.tsx').then((m) => m.HomeScreen);

export const routes: RouteObject[] = [
  ...(import.meta.env.DEV ? [gallery] : []),
  layout(TicketsFrame, [
    screen('tickets', {
      path: ticketPages.home,
      name: 'tickets.home',
      lazy: homeScreen,
    }),
    screen('tickets', {
      path: ticketPages.newOrder,
      name: 'orders.new',
      lazy: homeScreen,
    }),
    screen('tickets', {
      path: ticketPages.confirmation,
      name: 'orders.confirmation',
      preload: ({ params, client }) => client.prefetchQuery(orderQuery(params.id ?? '')),
      lazy: () => import('./confirmation/confirmation-screen.tsx').then((m) => m.ConfirmationScreen),
    }),
    screen('tickets', {
      path: ticketPages.notFound,
      name: 'not-found',
      component: NotFoundScreen,
    }),
    redirectFrom('*', ticketPages.notFound),
  ]),
];
