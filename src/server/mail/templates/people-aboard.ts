import type { GateSailing, PeopleAboard } from '#contract/gate/schemas.ts';
import type { WebSettings } from '#contract/settings/schemas.ts';
import { listPeopleAboard } from '#sentences/boats.ts';
import { textsIn } from '#server/core/texts.ts';
import { formatDate, formatTimeWithZone } from '#server/documents/travel-text.ts';
import { definitions, type MailContent, text } from '../mail-content.ts';

type Departure = { sailing: GateSailing; aboard: PeopleAboard };

/** The mail to a boat's master with the number of people aboard, in the operator's language. It names no person. */
export function peopleAboardContent({ sailing, aboard }: Departure, settings: WebSettings): MailContent {
  const { brand, language } = settings;
  const t = textsIn(language);
  const { people } = aboard;
  const departsAt = new Date(sailing.departs_at);
  const zone = sailing.departs_zone;
  const boat = t('{vessel} from {port}, {time}', {
    vessel: sailing.vessel,
    port: sailing.origin,
    time: formatTimeWithZone(departsAt, zone, language),
  });
  return {
    ...{ language, brandName: brand.name, accent: brand.accent, footerLinks: [] },
    title: aboard.is_corrected
      ? t('Corrected: {people, plural, one {# person aboard} other {# people aboard}}, {boat}', {
          people,
          boat,
        })
      : t('{people, plural, one {# person aboard} other {# people aboard}}, {boat}', { people, boat }),
    parts: [
      ...(aboard.is_corrected
        ? [text(t('A gate has reported late. This number replaces the one sent before.'))]
        : []),
      definitions(
        [t('Boat'), sailing.vessel],
        [
          t('Departure'),
          `${formatDate(departsAt, zone, language)}, ${formatTimeWithZone(departsAt, zone, language)}`,
        ],
        ...listPeopleAboard(t, aboard),
        [t('The boat may carry'), String(sailing.certificate)],
        [t('Counted'), formatTimeWithZone(new Date(aboard.counted_at), zone, language)],
      ),
    ],
    footer: [t('Sent by the ticket office of {brand} to the address of this boat.', { brand: brand.name })],
  };
}
