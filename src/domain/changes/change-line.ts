import type { Vehicle } from '#contract/orders/buy/schemas.ts';
import type { CapacityItem } from '../fares/capacity.ts';
import type { PricedLine } from '../fares/fare-book.ts';

/** A line that a change adds to an order, with the capacity it takes. */
export type ChangeLine = PricedLine & {
  takes: CapacityItem[];
  /** The numbers of its tickets in the party, one per ticket; empty for a discount. */
  partyIndexes: number[];
  /** Of a vehicle line. */
  vehicle: Vehicle | null;
  plate: string | null;
};
