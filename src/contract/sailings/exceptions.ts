/** How a sailing may differ from the timetable. */
export const EXCEPTION_KINDS = [
  'canceled',
  'suspended',
  'delayed',
  'vessel',
  'notice',
  'sales_closed',
  'sales_open',
  'port_closed',
  'extra',
] as const;
export type ExceptionKind = (typeof EXCEPTION_KINDS)[number];

export const EXCEPTION_REASONS = ['weather', 'technical', 'crew', 'traffic', 'port', 'other'] as const;
export type ExceptionReason = (typeof EXCEPTION_REASONS)[number];
