/** "1 vehicle", "2 vehicles", in what commands print. */
export function describeCount(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
