import type { PricedLine } from './fare-book.ts';

const SUFFIX = ', driver';

/** "Adult, driver": the passenger included in the vehicle's fare. */
export function describeDriver(passengerType: string): string {
  return passengerType + SUFFIX;
}

/** Whether a price line is the driver included in a vehicle's fare. */
export function isIncludedDriver(line: Pick<PricedLine, 'kind' | 'description' | 'amount'>): boolean {
  return line.kind === 'passenger' && line.amount === 0 && line.description.endsWith(SUFFIX);
}
