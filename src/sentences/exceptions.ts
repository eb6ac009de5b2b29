import type { SailingStatement } from '#domain/sailings/exceptions.ts';
import type { Translate } from '#messages/translate.ts';

/** What is said about a sailing. `writtenStatusText`: as releases wrote it that did not store statements. */
type SailingStatus = { statements: readonly SailingStatement[]; writtenStatusText: string };

/** What passengers of a sailing are told; empty if there is nothing to add to what the screens say themselves. */
export function describeStatus(t: Translate, sailing: SailingStatus): string {
  return listStatusSentences(t, sailing).join(' ');
}

export function listStatusSentences(
  t: Translate,
  { statements, writtenStatusText: written }: SailingStatus,
): string[] {
  const sentences = written === '' ? statements.map((each) => describeStatement(t, each)) : [written];
  return sentences.filter(Boolean);
}

/** The sentence for passengers; empty if there is nothing to add to what the screens say themselves. */
export function describeStatement(t: Translate, { kind, reason, text }: SailingStatement): string {
  if (text !== '') return text;
  const hasReason = reason !== null && reason !== 'other';
  switch (kind) {
    case 'canceled':
      return hasReason
        ? t(
            'Canceled because of {reason, select, weather {the weather} technical {a technical fault} crew {a crew shortage} traffic {heavy traffic} other {a problem at the port}}.',
            { reason },
          )
        : '';
    case 'port_closed':
      return hasReason
        ? t(
            'Canceled because the port is closed: {reason, select, weather {the weather} technical {a technical fault} crew {a crew shortage} traffic {heavy traffic} other {a problem at the port}}.',
            { reason },
          )
        : t('Canceled because the port is closed.');
    case 'suspended':
      return hasReason
        ? t(
            'On hold because of {reason, select, weather {the weather} technical {a technical fault} crew {a crew shortage} traffic {heavy traffic} other {a problem at the port}}. It is not decided yet whether it runs.',
            { reason },
          )
        : t('On hold. It is not decided yet whether it runs.');
    case 'delayed':
      return hasReason
        ? t(
            'Late because of {reason, select, weather {the weather} technical {a technical fault} crew {a crew shortage} traffic {heavy traffic} other {a problem at the port}}.',
            { reason },
          )
        : '';
    case 'vessel':
      return hasReason
        ? t(
            'Another boat runs because of {reason, select, weather {the weather} technical {a technical fault} crew {a crew shortage} traffic {heavy traffic} other {a problem at the port}}.',
            { reason },
          )
        : '';
    case 'withdrawn':
      return t('This sailing is no longer in the timetable.');
    case 'extra_withdrawn':
      return t('This extra sailing does not run.');
    default:
      return '';
  }
}

/** The sentence about a whole port or line; empty for other kinds. */
export function describeNotice(t: Translate, { kind, reason, text }: SailingStatement): string {
  if (kind === 'notice') return text;
  if (kind !== 'port_closed') return '';
  if (text !== '') return text;
  return reason === null || reason === 'other'
    ? t('This port is closed.')
    : t(
        'This port is closed because of {reason, select, weather {the weather} technical {a technical fault} crew {a crew shortage} traffic {heavy traffic} other {a problem at the port}}.',
        { reason },
      );
}
