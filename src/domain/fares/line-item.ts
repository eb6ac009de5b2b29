/** What a price line is for. The line's description names the passenger or vehicle type, or the promo code. */
export const LINE_ITEMS = [
  'passenger',
  'driver',
  'vehicle',
  'vehicle_with_trailer',
  'bicycle',
  'promo_code',
  'waived_difference',
  'change_fee',
  'earlier_tickets',
] as const;
export type LineItem = (typeof LINE_ITEMS)[number];

/** `item`: null for lines of releases that did not store it, whose description is the whole text. */
export type DescribedLine = { item: LineItem | null; description: string };
