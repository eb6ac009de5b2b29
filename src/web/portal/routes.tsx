import type { RouteObject } from 'react-router';
import { portalPages } from '#contract/paths.ts';
import { redirectFrom, screen } from '#web/platform/router/screen.ts';
import { NotFoundScreen } from './not-found-screen.tsx';

export const routes: RouteObject[] = [
  screen({ path: portalPages.notFound, name: 'not-found', component: NotFoundScreen }),
  redirectFrom('*', portalPages.notFound),
];
