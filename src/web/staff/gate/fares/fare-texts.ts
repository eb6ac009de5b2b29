import type { FareCard, FareParty, SailingFares } from '#contract/gate/fares/schemas.ts';
import type { FareStop } from '#domain/boarding/decide-fare.ts';
import { type Message, message } from '#messages/translate.ts';
import { t } from '#web/language/texts.ts';
import type { CardProblem } from './shown-fare.ts';

type Refusal = { reason: Message; todo: Message };

const PROBLEMS: Record<CardProblem, Refusal> = {
  damaged: {
    reason: message('The code cannot be read'),
    todo: message('Scan it again, or type the 16 digits of the card.'),
  },
  forged: {
    reason: message('Forged trip card'),
    todo: message('Do not let them aboard. Send them to the ticket booth.'),
  },
  unknown_key: {
    reason: message('This trip card cannot be checked'),
    todo: message(
      'The list on this device is too old. Wait for a connection, or send them to the ticket booth.',
    ),
  },
  unknown_card: {
    reason: message('No trip card has this number'),
    todo: message('Check the digits, or ask for another way to pay.'),
  },
  needs_connection: {
    reason: message('This needs a connection'),
    todo: message('Without one, only codes from the app can be taken. Or send them to the ticket booth.'),
  },
};

const STOPS: Record<FareStop, Refusal> = {
  sailing_canceled: {
    reason: message('This sailing is canceled'),
    todo: message('Choose the next boat on this device.'),
  },
  departed: {
    reason: message('This boat has departed'),
    todo: message('Choose the next boat on this device.'),
  },
  no_fare: {
    reason: message('No fare for this boat'),
    todo: message('Send them to the ticket booth.'),
  },
  needs_adult: {
    reason: message('Someone has to travel with them'),
    todo: message('Add the adult, or send them to the ticket booth.'),
  },
  free: {
    reason: message('They travel free'),
    todo: message('Count them as people without a ticket.'),
  },
  card_blocked: {
    reason: message('This card is blocked'),
    todo: message('Its owner froze it or reported it lost. Ask for another way to pay.'),
  },
  code_expired: {
    reason: message('This code is out of date'),
    todo: message('Ask them to open the card in the app again: it makes a new code.'),
  },
  pass_ended: {
    reason: message('This pass has ended'),
    todo: message('They can buy it again in the app, or pay another way.'),
  },
  other_line: {
    reason: message('This pass is not for this line'),
    todo: message('Ask for another way to pay.'),
  },
  other_travelers: {
    reason: message('This pass is not for all of them'),
    todo: message('Change who travels: others pay another way.'),
  },
  not_enough: {
    reason: message('Not enough on the card'),
    todo: message('They can top it up in the app and show the code again, or pay another way.'),
  },
  limit_reached: {
    reason: message('The limit without a connection is reached'),
    todo: message('Wait for a connection, or ask for another way to pay.'),
  },
};

export function describeProblem(problem: CardProblem): { reason: string; todo: string } {
  return translate(PROBLEMS[problem]);
}

export function describeFareStop(stop: FareStop): { reason: string; todo: string } {
  return translate(STOPS[stop]);
}

function translate({ reason, todo }: Refusal) {
  return { reason: t(reason), todo: t(todo) };
}

/** "Trip card ··4821" */
export function nameCard({ pass, last_four: digits }: FareCard): string {
  return pass === null
    ? t('Trip card ··{digits}', { digits })
    : t('{pass} ··{digits}', { pass: pass.name, digits });
}

/** "2 × Adult, Child" */
export function describeTravelers(party: FareParty, fares: SailingFares | undefined): string {
  return party
    .map(({ type, count }) => {
      const title = fares?.travelers.find((each) => each.type === type)?.name ?? type;
      return count === 1 ? title : t('{count} × {title}', { count, title });
    })
    .join(', ');
}
