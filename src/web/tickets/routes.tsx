import type { RouteObject } from 'react-router';
import { ticketPages } from '#contract/paths.ts';
import { redirectFrom, screen } from '#web/platform/router/screen.ts';
import { NotFoundScreen } from './not-found-screen.tsx';

export const routes: RouteObject[] = [
  screen({ path: ticketPages.notFound, name: 'not-found', component: NotFoundScreen }),
  redirectFrom('*', ticketPages.notFound),
];
