import type { PartyCounts } from '#domain/fares/party.ts';
import type { Translate } from '#messages/translate.ts';

/** "1 traveler, 1 vehicle" */
export function describeParty(t: Translate, { passengers, vehicles, bicycles }: PartyCounts): string {
  return [
    passengers > 0 && t('{count, plural, one {# traveler} other {# travelers}}', { count: passengers }),
    vehicles > 0 && t('{count, plural, one {# vehicle} other {# vehicles}}', { count: vehicles }),
    bicycles > 0 && t('{count, plural, one {# bicycle} other {# bicycles}}', { count: bicycles }),
  ]
    .filter((part) => part !== false)
    .join(', ');
}
