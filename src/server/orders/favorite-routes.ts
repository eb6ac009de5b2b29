import { sql } from 'drizzle-orm';
import type { FavoriteRoute } from '#contract/orders/history/schemas.ts';
import type { Context } from '../context.ts';
import { queryRows } from '../database/database.ts';

const COUNTED_DAYS = 365;
const MAX_ROUTES = 3;

/**
 * The journeys that a customer buys most: in most orders of the last year first, then the last bought. There and back
 * are two journeys, and one with a change of boats goes from its first port to its last. Canceled tickets do not count.
 */
export function listFavoriteRoutes(
  { db, clock }: Pick<Context, 'db' | 'clock'>,
  customerId: string,
): Promise<FavoriteRoute[]> {
  const since = new Date(clock.now().getTime() - COUNTED_DAYS * 86_400_000);
  return queryRows<FavoriteRoute>(
    db,
    sql`with journeys as (
        select o.id, o.inserted_at,
          (array_agg(r.origin_port_id order by s.departs_at))[1] as origin_port_id,
          (array_agg(r.destination_port_id order by s.departs_at desc))[1] as destination_port_id
        from orders o
        join order_lines l on l.order_id = o.id and l.status = 'active'
        join sailings s on s.id = l.sailing_id
        join routes r on r.id = s.route_id
        where o.customer_id = ${customerId} and o.inserted_at >= ${since.toISOString()}
          and o.status in ('confirmed', 'partly_canceled', 'completed')
        group by o.id, l.leg in ('out', 'out_onward')
      )
      select origin_port_id, destination_port_id
      from journeys
      group by origin_port_id, destination_port_id
      order by count(*) desc, max(inserted_at) desc, origin_port_id, destination_port_id
      limit ${MAX_ROUTES}`,
  );
}
