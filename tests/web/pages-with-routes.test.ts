import type { RouteObject } from 'react-router';
import { expect, test } from 'vitest';
import { portalPageTable } from '#contract/portal-pages.ts';
import { ticketPageTable } from '#contract/ticket-pages.ts';
import { routes as portalRoutes } from '#web/portal/routes.tsx';
import { routes as ticketRoutes } from '#web/tickets/routes.tsx';

function listPaths(routes: readonly RouteObject[]): string[] {
  return routes.flatMap(({ handle, children = [] }) => [
    ...(handle ? [handle.path] : []),
    ...listPaths(children),
  ]);
}

test.each([
  { host: 'portal', table: portalPageTable, routes: portalRoutes },
  { host: 'tickets', table: ticketPageTable, routes: ticketRoutes },
])('every page in the table of the $host host has one route', ({ table, routes }) => {
  const paths = listPaths(routes);
  const wrong = Object.keys(table).filter((page) => paths.filter((path) => path === page).length !== 1);
  expect(wrong).toEqual([]);
});
