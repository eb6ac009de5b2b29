import type { RouteObject } from 'react-router';
import { expect, test } from 'vitest';
import { HOSTS, type Host } from '#contract/hosts.ts';
import { pages } from '#contract/pages.ts';
import { routes as portalRoutes } from '#web/portal/routes.tsx';
import { routes as staffRoutes } from '#web/staff/routes.tsx';
import { routes as ticketRoutes } from '#web/tickets/routes.tsx';

function listPaths(routes: readonly RouteObject[]): string[] {
  return routes.flatMap(({ handle, children = [] }) => [
    ...(handle ? [handle.path] : []),
    ...listPaths(children),
  ]);
}

const ROUTES: Readonly<Record<Host, RouteObject[]>> = {
  tickets: ticketRoutes,
  portal: portalRoutes,
  staff: staffRoutes,
};

test.each(HOSTS)('every page in the table of the %s host has one route', (host) => {
  const paths = listPaths(ROUTES[host]);
  const wrong = Object.keys(pages[host]).filter((page) => paths.filter((path) => path === page).length !== 1);
  expect(wrong).toEqual([]);
});
