import type { DescribedLine } from '#domain/fares/line-item.ts';
import type { Translate } from '#messages/translate.ts';

/** "Adult", "Adult, driver", "Car with trailer", "Promo code SUMMER": the text of a price line. */
export function describeLine(t: Translate, { item, description }: DescribedLine): string {
  switch (item) {
    case 'driver':
      return t('{type}, driver', { type: description });
    case 'vehicle_with_trailer':
      return t('{type} with trailer', { type: description });
    case 'bicycle':
      return t('Bicycle');
    case 'promo_code':
      return t('Promo code {code}', { code: description });
    case 'waived_difference':
      return t('Difference not charged');
    case 'change_fee':
      return t('Change fee');
    case 'earlier_tickets':
      return t('Earlier tickets');
    default:
      return description;
  }
}

type TicketLine = DescribedLine & { id: string; kind: string; plate: string | null };

/**
 * "Adult", "Bicycle", "Car with trailer, 5KJH 220": the title of a ticket.
 * @param of lines: of the ticket's order; plate: the order's
 */
export function titleTicket(
  t: Translate,
  { lineId }: { lineId: string },
  { lines, plate }: { lines: readonly TicketLine[]; plate: string | null },
): string {
  const line = lines.find(({ id }) => id === lineId);
  if (!line) return '';
  const shownPlate = line.kind === 'vehicle' ? (line.plate ?? plate) : null;
  return [describeLine(t, line), shownPlate].filter(Boolean).join(', ');
}
