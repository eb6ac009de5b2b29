import type { CapacityResource } from '#domain/fares/capacity.ts';
import type { AvailabilityReason } from '#domain/sailings/availability.ts';
import { type Message, message, type Translate } from '#messages/translate.ts';

type Details = {
  /** What the operator says about the sailing; may be empty. */
  statusText: string;
  /** Why the party cannot be sold. */
  refusal: string;
  /** The booth's telephone; may be empty. */
  phone: string;
};

/** The sentence about a sailing's availability. It says where tickets are still sold. */
export function describeAvailability(t: Translate, reason: AvailabilityReason, details: Details): string {
  const { statusText, phone } = details;
  const booth =
    phone === '' ? t('Ask at the ticket booth.') : t('Ask at the ticket booth or call {phone}.', { phone });
  switch (reason.code) {
    case 'canceled':
      return statusText || t('This sailing has been canceled. Choose another one.');
    case 'suspended':
      return statusText || `${t('This sailing is not certain yet.')} ${booth}`;
    case 'departed':
      return t('This sailing has left. Choose a later one.');
    case 'sales_closed':
      return `${t('Online sales have closed.')} ${booth}`;
    case 'not_sold_online':
      return `${t('Not sold online.')} ${booth}`;
    case 'unknown':
      return t('We cannot say right now how much room there is. Ask at the ticket booth.');
    case 'party_refused':
      return details.refusal;
    case 'few_left':
      return t('Only {count, plural, one {# place} other {# places}} left.', { count: reason.left });
    case 'nearly_full':
    case 'filling_up':
    case 'available':
      return t((reason.resource === 'passenger' ? LEFT_FOR_PEOPLE : LEFT_FOR_VEHICLES)[reason.code]);
    default:
      return describeShortage(t, reason);
  }
}

const LEFT_FOR_PEOPLE = {
  nearly_full: message('Nearly full. Buy soon.'),
  filling_up: message('Filling up.'),
  available: message('Places available.'),
};

const LEFT_FOR_VEHICLES = {
  nearly_full: message('The vehicle deck is nearly full. Buy soon.'),
  filling_up: message('The vehicle deck is filling up.'),
  available: message('Vehicle spaces available.'),
};

type Shortage = Extract<
  AvailabilityReason,
  { code: 'not_on_board' | 'too_little_left' | 'online_share_sold' | 'sold_out' }
>;

function describeShortage(t: Translate, shortage: Shortage): string {
  const texts = TEXTS[shortage.resource];
  switch (shortage.code) {
    case 'not_on_board':
      return t(texts.notOnBoard);
    case 'too_little_left':
      return shortage.resource === 'passenger'
        ? t('Only {count, plural, one {# place} other {# places}} left: not enough for your party.', {
            count: shortage.left,
          })
        : t(TOO_LITTLE_LEFT[shortage.resource]);
    case 'online_share_sold':
      return `${t(texts.onlineSold)} ${t('Ask at the ticket booth for the rest.')}`;
    case 'sold_out':
      return `${t(texts.full)} ${
        shortage.mayComeBack
          ? t('Some may come back: look again in a few minutes.')
          : t('Choose another sailing.')
      }`;
  }
}

const TEXTS: Record<CapacityResource, { notOnBoard: Message; onlineSold: Message; full: Message }> = {
  passenger: {
    notOnBoard: message('The boat on this sailing has no passenger places.'),
    onlineSold: message('The places sold online are gone.'),
    full: message('All passenger places are taken.'),
  },
  lane_cm: {
    notOnBoard: message('The boat on this sailing has no vehicle deck.'),
    onlineSold: message('The vehicle spaces sold online are gone.'),
    full: message('All vehicle spaces are taken.'),
  },
  tall_lane_cm: {
    notOnBoard: message('The boat on this sailing has no space for tall vehicles.'),
    onlineSold: message('The spaces for tall vehicles sold online are gone.'),
    full: message('All spaces for tall vehicles are taken.'),
  },
  bicycle: {
    notOnBoard: message('The boat on this sailing has no bicycle spaces.'),
    onlineSold: message('The bicycle spaces sold online are gone.'),
    full: message('All bicycle spaces are taken.'),
  },
};

const TOO_LITTLE_LEFT: Record<Exclude<CapacityResource, 'passenger'>, Message> = {
  lane_cm: message('Little room left on the vehicle deck: not enough for your party.'),
  tall_lane_cm: message('Little room left for tall vehicles: not enough for your party.'),
  bicycle: message('Few bicycle spaces left: not enough for your party.'),
};
