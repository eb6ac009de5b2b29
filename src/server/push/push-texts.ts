import type { WebSettings } from '#contract/settings/schemas.ts';
import { translateSettings } from '#contract/settings/translate-settings.ts';
import type { PushKind } from '#domain/orders/push-kinds.ts';
import { getExpectedTimes } from '#domain/sailings/expected-times.ts';
import { textsIn } from '#server/core/texts.ts';
import type { Config } from '../config.ts';
import type { TravelDocument, TravelLeg } from '../documents/travel-document.ts';
import { describeCrossing, formatTimeWithZone } from '../documents/travel-text.ts';
import { orderMailContent } from '../mail/templates/order.ts';

type PushText = { title: string; body: string };
type Input = {
  document: TravelDocument;
  settings: WebSettings;
  config: Pick<Config, 'origins'>;
  now: Date;
};

/**
 * What a push says: the boat and its time. Written from the order's state now, in the order's language. Without names,
 * the reference and anything else about persons: it is shown on a locked phone.
 */
export function writePush(kind: PushKind, input: Input): PushText {
  const { document } = input;
  const t = textsIn(document.order.locale);
  const { title, crossing, about } = writeNotice(kind, input);
  const choice = document.offers.length > 0 ? t('Tap to choose another sailing or get your money back.') : '';
  const checkIn = about && isLate(about) && choice === '' ? t('Check-in stays as planned.') : '';
  return { title, body: [crossing, choice, checkIn].filter(Boolean).join('\n') };
}

/** What happened, the boat that it happened to, and its crossing in words; that is empty if no boat is ahead. */
export function writeNotice(
  kind: PushKind,
  input: Input,
): { title: string; crossing: string; about: TravelLeg | undefined } {
  const { document, now } = input;
  const ahead = listAhead(document, now);
  const about = document.legs.find(({ isCanceled }) => isCanceled) ?? ahead.find(isLate) ?? ahead[0];
  const crossing = about ? describeCrossing(about, document.order.locale) : '';
  return { title: writeTitle(kind, input, about), crossing, about };
}

/** When the push is worthless: news about a time after the departure, anything else within a week. */
export function findPushEnd(kind: PushKind, { document, now }: Pick<Input, 'document' | 'now'>): Date {
  const ahead = listAhead(document, now);
  const about =
    kind === 'sailing-late' || kind === 'sailing-on-time' ? (ahead.find(isLate) ?? ahead[0]) : null;
  if (about === undefined) return now;
  if (about) return new Date(getExpectedTimes(about).departsAt);
  const [first] = ahead;
  const departure = first ? getExpectedTimes(first).departsAt : now.getTime() + DAY;
  return new Date(Math.min(Math.max(departure, now.getTime() + HOUR), now.getTime() + 7 * DAY));
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The boats that have not left, in order of their departures. */
export function listAhead({ legs }: Pick<TravelDocument, 'legs'>, now: Date): TravelLeg[] {
  return legs
    .filter((leg) => getExpectedTimes(leg).departsAt > now.getTime())
    .toSorted((a, b) => getExpectedTimes(a).departsAt - getExpectedTimes(b).departsAt);
}

function isLate({ delayMinutes, isCanceled }: TravelLeg): boolean {
  return delayMinutes > 0 && !isCanceled;
}

/** The title of the mail about the same, or a sentence about the one boat that it is about. */
function writeTitle(
  kind: PushKind,
  { document, settings, config, now }: Input,
  about: TravelLeg | undefined,
): string {
  const { locale } = document.order;
  const t = textsIn(locale);
  if (about && isAboutOneBoat(kind)) {
    const time = formatTimeWithZone(about.departsAt, about.origin.timeZone, locale);
    const boat = { time, port: about.destination.name };
    if (about.isCanceled) return t('Your {time} boat to {port} is canceled', boat);
    if (isLate(about)) {
      return t('Your {time} boat to {port} is {minutes, plural, one {# minute} other {# minutes}} late', {
        ...boat,
        minutes: about.delayMinutes,
      });
    }
    if (kind === 'sailing-on-time' && listAhead(document, now).length === 1)
      return t('Your {time} boat to {port} is on time again', boat);
  }
  const translated = translateSettings(settings, locale);
  const origin = config.origins.tickets;
  return orderMailContent(kind, {
    ...{ document, settings: translated, origin, cancellationId: null, changeId: null },
  }).title;
}

function isAboutOneBoat(kind: PushKind): boolean {
  return ['sailing-canceled', 'sailing-late', 'sailing-on-time'].includes(kind);
}
