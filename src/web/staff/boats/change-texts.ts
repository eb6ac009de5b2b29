import type { BoatChangeInput } from '#contract/desk/schemas.ts';
import type { ExceptionKind, ExceptionReason } from '#contract/sailings/exceptions.ts';
import { type Message, message } from '#messages/translate.ts';
import { t } from '#web/language/texts.ts';
import type { BoatChange, DeskBoat } from '#web/platform/api/types.ts';

export type ChangeKind = BoatChangeInput['kind'];

/** `button`: opens the dialog. `confirm`: does it. `done`: as it stands in the list of changes. */
export const CHANGE_NAMES: Readonly<Record<ChangeKind, { button: Message; confirm: Message }>> = {
  delayed: { button: message('Report a delay'), confirm: message('Tell passengers') },
  canceled: { button: message('Cancel the boat'), confirm: message('Cancel the boat') },
  suspended: { button: message('Put on hold'), confirm: message('Put on hold') },
  vessel: { button: message('Change the vessel'), confirm: message('Change the vessel') },
  notice: { button: message('Give a notice'), confirm: message('Give the notice') },
  sales_closed: { button: message('Close sales'), confirm: message('Close sales') },
  sales_open: { button: message('Open sales'), confirm: message('Open sales') },
  extra: { button: message('Add an extra boat'), confirm: message('Add the boat') },
};

export const REASON_NAMES: Readonly<Record<ExceptionReason, Message>> = {
  weather: message('Weather|why a boat is late'),
  technical: message('Technical fault|why a boat is late'),
  crew: message('Crew shortage|why a boat is late'),
  traffic: message('Heavy traffic|why a boat is late'),
  port: message('Problem at the port|why a boat is late'),
  other: message('Another reason|why a boat is late'),
};

/** What may be decided about a boat now. `now` in milliseconds. */
export function listPossibleChanges(boat: DeskBoat, now: number): ChangeKind[] {
  const hasDeparted = boat.departedAt !== null;
  if (boat.status === 'canceled') return ['notice', 'extra'];
  if (hasDeparted) return ['delayed', 'notice'];
  const isSold = Date.parse(boat.salesCloseAt) > now;
  // Online sales end at the planned departure, also of a late boat.
  const isDue = Date.parse(boat.departsAt) <= now;
  return [
    'delayed',
    'canceled',
    ...(boat.status === 'suspended' ? [] : (['suspended'] as const)),
    'vessel',
    'notice',
    ...(isSold ? (['sales_closed'] as const) : isDue ? [] : (['sales_open'] as const)),
    'extra',
  ];
}

const DONE: Readonly<Record<Exclude<ExceptionKind, 'delayed' | 'vessel'>, Message>> = {
  canceled: message('Canceled|a sailing'),
  suspended: message('On hold'),
  notice: message('Notice|to passengers'),
  sales_closed: message('Sales closed'),
  sales_open: message('Sales open until the planned departure'),
  port_closed: message('Port closed'),
  extra: message('Extra boat'),
};

/** "40 min late: Weather" */
export function describeChange({ kind, minutes, vessel, reason, text, source }: BoatChange): string {
  const what =
    kind === 'delayed'
      ? t('{minutes} min late', { minutes })
      : kind === 'vessel'
        ? t('{vessel} runs instead', { vessel: vessel ?? '' })
        : t(DONE[kind]);
  return [what, ...listCauses({ reason, text, source })].join(' · ');
}

/** Why something is so, and where that comes from, unless staff said it. */
export function listCauses({
  reason,
  text,
  source,
}: Pick<BoatChange, 'reason' | 'text' | 'source'>): string[] {
  const why = text || (reason === null ? '' : t(REASON_NAMES[reason]));
  const origin = source === 'staff' ? '' : source === 'file' ? t('from a file') : t('from live data');
  return [why, origin].filter(Boolean);
}
