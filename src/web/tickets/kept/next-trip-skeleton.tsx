import { Skeleton } from '#web/ui/feedback/skeleton.tsx';
import { mayHaveKeptOrders } from './may-have-kept-orders.ts';

/** The room of the next trip where there may be one, so that what is below it does not move. */
export function NextTripSkeleton() {
  return mayHaveKeptOrders() ? <Skeleton height="15rem" /> : null;
}
