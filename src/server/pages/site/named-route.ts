import type { HomeData, Port, Route } from '#contract/catalogue/schemas.ts';
import { fillPath } from '#contract/paths.ts';
import { routePages } from '#contract/route-pages.ts';

/** A route with its two ports. */
export type NamedRoute = { route: Route; origin: Port; destination: Port };

/** `/routes/MAD-HER`. */
export function routeAddress({ origin, destination }: Pick<NamedRoute, 'origin' | 'destination'>): string {
  return fillPath(routePages.one, { ports: `${origin.code}-${destination.code}` });
}

/** All routes on sale, by the names of their ports. */
export function listNamedRoutes({ catalogue }: HomeData): NamedRoute[] {
  const ports = new Map(catalogue.ports.map((port) => [port.id, port]));
  return catalogue.routes.flatMap((route) => {
    const origin = ports.get(route.origin_port_id);
    const destination = ports.get(route.destination_port_id);
    return origin && destination ? [{ route, origin, destination }] : [];
  });
}
