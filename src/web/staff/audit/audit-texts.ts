import { REPORTS } from '#contract/reports/columns.ts';
import { STAFF_ROLES } from '#contract/staff/permissions.ts';
import { formatMoney } from '#domain/format/money.ts';
import { formatList } from '#messages/intl.ts';
import { nameAuditedField, nameAuditedValue } from '#sentences/audit.ts';
import { nameRole } from '#sentences/staff.ts';
import { formatClock, formatShortDay, localDay } from '#web/features/site/local-time.ts';
import { formatWhenCapitalized } from '#web/features/site/timestamp.tsx';
import { textLanguage } from '#web/language/page-language.ts';
import { t } from '#web/language/texts.ts';
import type { AuditEntry } from '#web/platform/api/types.ts';
import { nameReport } from '../reports/report-texts.ts';

type Change = AuditEntry['changes'][number];
/** `now` in milliseconds. */
type Reader = { currency: string | null; now: number };

export function describeActor({ kind, id, name }: AuditEntry['actor']): string {
  switch (kind) {
    case 'staff':
      return name ?? id ?? '';
    case 'command':
      return t('Command by {user}', { user: id ?? '' });
    case 'server':
      return t('The server itself');
  }
}

/** There is one of each. */
const NAMELESS: readonly AuditEntry['object']['kind'][] = [
  ...(['audit_log', 'settings', 'work_list', 'timetable', 'privacy_request'] as const),
];

/** What an action was done to; null if the action says it, as of a list that was looked at. */
export function describeObject({
  action,
  object: { kind, id, label },
}: Pick<AuditEntry, 'action' | 'object'>): string | null {
  if (NAMELESS.includes(kind) || (kind === 'call' && action !== 'call_refused')) return null;
  if (kind === 'report') return describeReport(id);
  if (label === null) return id;
  switch (kind) {
    case 'order':
      return t('Order {reference}', { reference: label });
    case 'invoice':
      return t('Invoice {number}', { number: label });
    case 'card_sale':
      return t('{count, plural, one {# trip card} other {# trip cards}}', { count: Number(label) });
    case 'trip_card':
      return t('Trip card ending in {digits}', { digits: label });
    default:
      return label;
  }
}

/** A report, a payout or a closed month. */
function describeReport(id: string): string {
  const report = REPORTS.find((each) => each === id);
  if (report !== undefined) return nameReport(report);
  if (id === 'datev') return t('DATEV');
  const [kind, payout] = id.split('/');
  return kind === 'payouts' && payout ? t('Payout {id}', { id: payout }) : id;
}

/** "Role: from Ticket desk to Office" */
export function describeChange(change: Change, reader: Reader): string {
  const field = nameAuditedField(t, change.field);
  const after = describeValue(change.field, change.after, reader);
  if (change.before === null) return t('{field}: {value}', { field, value: after });
  const before = describeValue(change.field, change.before, reader);
  return t('{field}: from {before} to {after}', { field, before, after });
}

const AMOUNTS: readonly string[] = [
  ...['amount', 'balance', 'refunded', 'fee', 'difference'],
  ...['top_up.min', 'top_up.max', 'top_up.presets', 'offline_fare_limit'],
];

function describeValue(field: string, value: Change['after'], { currency, now }: Reader): string {
  if (value === null || value === '') return t('none|a value');
  if (typeof value === 'boolean') return value ? t('yes') : t('no');
  // Several amounts are text, one in a line.
  if (currency !== null && AMOUNTS.includes(field) && /^-?\d+(\n\d+)*$/.test(String(value))) {
    const amounts = String(value).split('\n').map(Number);
    return formatList(
      textLanguage(),
      amounts.map((amount) => formatMoney(amount, currency, textLanguage())),
    );
  }
  if (typeof value === 'number') return String(value);
  // A local day and time of a port, as "2026-12-03 09:00".
  if (field.endsWith('_departure')) {
    const local = value.replace(' ', 'T');
    return t('{day}, {time}', { day: formatShortDay(localDay(local)), time: formatClock(local) });
  }
  if (field.endsWith('_at')) return formatWhenCapitalized(value, now);
  const role = field === 'role' ? STAFF_ROLES.find((each) => each === value) : undefined;
  return role === undefined ? nameAuditedValue(t, value) : nameRole(t, role);
}
