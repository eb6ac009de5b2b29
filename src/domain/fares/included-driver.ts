import type { DescribedLine } from './line-item.ts';

/** Whether a price line is the driver included in a vehicle's fare. */
export function isIncludedDriver({ item, description, amount }: DescribedLine & { amount: number }): boolean {
  return item === 'driver' || (item === null && amount === 0 && description.endsWith(', driver'));
}
