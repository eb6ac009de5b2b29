import { fillPath, ticketPages } from '#contract/paths.ts';
import type { Order } from '#web/platform/api/types.ts';
import { pageConfig } from '#web/platform/page-config.ts';

/** The address of the page on the ticket host that changes an order. */
export function changePage({ id }: Order): string {
  return pageConfig().origins.tickets + fillPath(ticketPages.changeOrder, { id });
}
