/** The roles of staff, from the least to the most rights. */
export const STAFF_ROLES = ['gate', 'desk', 'office', 'manager'] as const;

export type StaffRole = (typeof STAFF_ROLES)[number];

const EVERY_ROLE = STAFF_ROLES;

/**
 * Every permission and the roles that have it. Selling and checking are apart, so that one person cannot sell a ticket
 * outside the books and admit it; the gate takes no money but the difference of a vehicle that has a ticket, and the value of
 * trip cards and passes, which never leaves the books.
 */
const ROLES_BY_PERMISSION = {
  /** What all staff may do with their own session and account. */
  own_session: EVERY_ROLE,
  scan_tickets: ['gate', 'manager'],
  /** Letting people aboard whose ticket is refused, with a reason. */
  override_boarding: ['manager'],
  /** The queue of people without tickets: at the ramp, and where tickets are sold to them. */
  manage_queue: ['gate', 'desk', 'manager'],
  /** Taking what a vehicle costs beyond its ticket, by its measured size. */
  charge_vehicles: ['gate', 'desk', 'manager'],
  /** Taking trip cards and passes as fares of people without tickets, where they are let aboard. */
  take_fares: ['gate', 'manager'],
  manage_devices: ['desk', 'manager'],
  see_manifests: EVERY_ROLE,
  /** Reading, completing and exporting what the law asks of each traveler on some routes. */
  passenger_lists: ['gate', 'desk', 'manager'],
  see_orders: ['desk', 'office', 'manager'],
  /** What staff do for a buyer who asks: corrections, mails, notes, and what the buyer could do by the fare's rules. */
  serve_orders: ['desk', 'office', 'manager'],
  sell_tickets: ['desk', 'manager'],
  /** Refunds and other boats beyond the fare's rules, with a reason. */
  refund_orders: ['office', 'manager'],
  /** Confirming a refund that another person asked for, above what one person may refund. */
  approve_refunds: ['manager'],
  /** Invoices that are not paid yet: noting transfers, and reminding of them. */
  manage_invoices: ['office', 'manager'],
  change_sailings: ['office', 'manager'],
  /** The timetable as a whole, fares and promo codes. */
  change_timetable: ['office', 'manager'],
  read_reports: ['office', 'manager'],
  export_reports: ['office', 'manager'],
  /** Noting what became of the items of a payout that are not in the books. */
  settle_payouts: ['office', 'manager'],
  /** Closing the books of a month, after which its reports stay as they are. */
  close_months: ['manager'],
  /** The operator's name, contact, colors, terms and limits, for all customers at once. */
  change_settings: ['manager'],
  /** Exporting and erasing what is stored about a person who asks for it, and reading who looked at it. */
  answer_privacy_requests: ['manager'],
  manage_staff: ['manager'],
  read_audit_log: ['manager'],
} as const satisfies Readonly<Record<string, readonly StaffRole[]>>;

export type Permission = keyof typeof ROLES_BY_PERMISSION;

export const PERMISSIONS = Object.keys(ROLES_BY_PERMISSION) as readonly Permission[];

/** Whether staff with this role may do what the permission names. */
export function hasPermission(role: StaffRole, permission: Permission): boolean {
  const roles: readonly StaffRole[] = ROLES_BY_PERMISSION[permission];
  return roles.includes(role);
}
