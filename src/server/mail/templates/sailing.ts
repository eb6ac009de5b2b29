import { formatMoney } from '#domain/format/money.ts';
import { getDirection } from '#domain/orders/legs.ts';
import { isConnectionMissed } from '#domain/sailings/connections.ts';
import type { Translate } from '#messages/translate.ts';
import { describeReach } from '#sentences/contact.ts';
import { describeLateness } from '#sentences/crossing-times.ts';
import type { TravelDocument, TravelLeg, TravelOffer } from '#server/documents/travel-document.ts';
import { formatDate, formatTimeWithZone } from '#server/documents/travel-text.ts';
import { type MailBlock, type MailTexts, text } from '../mail-content.ts';
import { assistanceParts, greet, legParts, orderButton, type TemplateInput } from './order-parts.ts';

/*
 * The mails about sailings that do not run as bought. Each says what happened, what it means for the party, what it may
 * choose and until when, and what happens without an answer.
 */

export function sailingChanged(input: TemplateInput): MailTexts {
  const { t, document } = input;
  return {
    title: t('Your sailing has changed'),
    parts: [
      text(t('We changed your sailing. Your tickets stay valid. These are the times now:')),
      ...document.legs.flatMap((leg) => legParts(leg, document, false)),
      orderButton(input),
    ],
  };
}

export function sailingCanceled(input: TemplateInput): MailTexts {
  const { t } = input;
  return {
    title: t('Your sailing is canceled'),
    parts: [text(t('We are sorry.')), ...choiceParts(input)],
  };
}

export function sailingDelayed(input: TemplateInput): MailTexts {
  const { t } = input;
  const missed = input.document.offers.flatMap((offer) => describeMissedConnection(t, offer));
  if (missed.length > 0) {
    return {
      title: t('You will miss your connection'),
      parts: [...missed.map(text), text(t('We are sorry.')), ...choiceParts(input)],
    };
  }
  const why = t('Your sailing is late. Check-in stays as planned. We are sorry.');
  return { title: t('Your sailing is late'), parts: [text(why), ...choiceParts(input)] };
}

/** The delay may change before the mail is sent. */
export function sailingLate(input: TemplateInput): MailTexts {
  const { t, document } = input;
  if (!document.legs.some(({ delayMinutes }) => delayMinutes > 0)) return sailingOnTime(input);
  const why = text(t('Your sailing is late. Check-in stays as planned. We are sorry.'));
  if (document.offers.length > 0)
    return { title: t('Your sailing is late'), parts: [why, ...choiceParts(input)] };
  return {
    title: t('Your sailing is late'),
    parts: [
      why,
      text(t('Your tickets stay valid. These are the times now:')),
      ...document.legs.flatMap((leg) => legParts(leg, document, false)),
      text(t('We email you again if this changes by much. The times are always on the page of your order.')),
      orderButton(input),
    ],
  };
}

export function sailingOnTime(input: TemplateInput): MailTexts {
  const { t, document } = input;
  if (document.legs.some(({ delayMinutes }) => delayMinutes > 0)) return sailingLate(input);
  if (document.legs.some(({ isCanceled }) => isCanceled)) return sailingCanceled(input);
  return {
    title: t('Your sailing is on time again'),
    parts: [
      text(
        t(
          'We told you that your sailing is late. That is over: it leaves as planned. Your tickets stay valid.',
        ),
      ),
      ...document.legs.flatMap((leg) => legParts(leg, document, false)),
      orderButton(input),
    ],
  };
}

/** Which boats of a journey no longer connect; nothing if they do. */
function describeMissedConnection(t: Translate, { departed, booked }: TravelOffer): string[] {
  const [first, onward] = departed ? [departed, ...booked] : booked;
  if (!first || !onward) return [];
  const { destination: port, delayMinutes, vesselName } = first;
  if (!isConnectionMissed(inMilliseconds(first), inMilliseconds(onward), port.transferMinutes ?? 0))
    return [];
  return [
    [
      t('Your first boat, {boat} from {origin} to {destination}, is {lateness}.', {
        ...{ boat: vesselName, origin: first.origin.name, destination: port.name },
        lateness: describeLateness(t, delayMinutes),
      }),
      departed ? '' : t('Check-in for it stays as planned.'),
    ]
      .filter(Boolean)
      .join(' '),
    t('It arrives in {port} too late for your second boat, {boat} to {destination}.', {
      ...{ port: port.name, boat: onward.vesselName, destination: onward.destination.name },
    }),
  ];
}

function inMilliseconds({ departsAt, arrivesAt, delayMinutes }: TravelLeg) {
  return { departsAt: departsAt.getTime(), arrivesAt: arrivesAt.getTime(), delayMinutes };
}

export function sailingOverbooked(input: TemplateInput): MailTexts {
  const { t } = input;
  const why = t('A smaller boat runs on your sailing. It may not have enough room for you. We are sorry.');
  return { title: t('There may be no room on your sailing'), parts: [text(why), ...choiceParts(input)] };
}

export function offerChanged(input: TemplateInput): MailTexts {
  const { t } = input;
  const why = t('The sailing on which we kept places for you has changed too. We are sorry.');
  return { title: t('Your choice of sailings has changed'), parts: [text(why), ...choiceParts(input)] };
}

/** The party may have chosen, and the times may have changed again, before the mail is sent. */
export function keptMoved(input: TemplateInput): MailTexts {
  const { t } = input;
  const protectedSailings = input.document.offers.flatMap((offer) => offer.protected);
  if (protectedSailings.length === 0) return offerChanged(input);
  if (protectedSailings.some(({ delayMinutes }) => delayMinutes > 0)) {
    const why = t(
      'The sailing on which we keep places for you is late. Check-in for it stays as planned. We are sorry.',
    );
    return { title: t('The sailing we keep for you is late'), parts: [text(why), ...choiceParts(input)] };
  }
  const why = t(
    'The sailing on which we keep places for you has other times than we told you. They are below.',
  );
  return {
    title: t('The sailing we keep for you has other times'),
    parts: [text(why), ...choiceParts(input)],
  };
}

export function rebooked(input: TemplateInput): MailTexts {
  const { t, document } = input;
  const { order, legs, choiceUntil } = document;
  const [first] = legs;
  return {
    title: t('You travel on another sailing'),
    parts: [
      text(
        t(
          '{greeting} your party of order {reference} now travels as shown here, at no charge. The earlier tickets of the changed trip are no longer valid.',
          { greeting: greet(t, order), reference: order.reference },
        ),
      ),
      ...(first && choiceUntil
        ? [
            text(
              t(
                'You can choose again until {time}. Do so with the button below, also if you did not choose this yourself.',
                { time: describeInstant(choiceUntil, first, order.locale) },
              ),
            ),
          ]
        : []),
      ...legs.flatMap((leg) => legParts(leg, document, true)),
      ...assistanceParts(document),
      orderButton(input),
    ],
  };
}

export function openTicketKept(input: TemplateInput): MailTexts {
  const { t } = input;
  const { order } = input.document;
  const why = t('{greeting} you keep an open ticket of order {reference}. It costs nothing more.', {
    greeting: greet(t, order),
    reference: order.reference,
  });
  return { title: t('You keep an open ticket'), parts: [text(why), ...openTicketParts(input)] };
}

export function openTicketEnds(input: TemplateInput): MailTexts {
  const { t } = input;
  const { order } = input.document;
  const why = t('{greeting} the open ticket of order {reference} ends soon.', {
    greeting: greet(t, order),
    reference: order.reference,
  });
  return { title: t('Your open ticket ends soon'), parts: [text(why), ...openTicketParts(input)] };
}

/** The buyer may have chosen a sailing before the mail is sent. */
function openTicketParts(input: TemplateInput): MailBlock[] {
  const { t, document } = input;
  const { order } = document;
  const own = document.offers.filter(({ offer }) => offer.openTicketAt !== null);
  const others = document.legs.filter((leg) => !own.some(({ booked }) => booked.includes(leg)));
  return [
    ...own.flatMap(({ offer, booked, refund }) => {
      const [first] = booked;
      if (!first) return [];
      const until = describeInstant(offer.deadline, first, order.locale);
      const money = formatMoney(refund, order.currency, order.locale);
      return [
        ...booked.flatMap((leg) => legParts(leg, document, false)),
        text(
          t('Choose a sailing by {time}. We keep no places for you, and boats may fill up.', { time: until }),
        ),
        text(
          t(
            'You can get the full refund of {amount} at any time until then. If you choose nothing, we cancel these tickets and you get it then.',
            { amount: money },
          ),
        ),
      ];
    }),
    orderButton(input, own.length === 0 ? undefined : t('Choose a sailing')),
    ...(own.length > 0 && others.length > 0 ? [text(introduceOthers(t, others))] : []),
    ...others.flatMap((leg) => legParts(leg, document, false)),
  ];
}

function choiceParts(input: TemplateInput): MailBlock[] {
  const { t, document } = input;
  const { offers } = document;
  const others = listUnaffectedLegs(document);
  return [
    ...offers.flatMap((offer) => offerParts(input, offer)),
    ...(offers.length === 0 ? askParts(input) : []),
    orderButton(input, offers.length === 0 ? undefined : t('Choose what to do')),
    ...(offers.length === 0 ? [] : answerParts(input)),
    ...(offers.length > 0 && others.length > 0 ? [text(introduceOthers(t, others))] : []),
    ...others.flatMap((leg) => legParts(leg, document, false)),
  ];
}

function introduceOthers(t: Translate, others: readonly TravelLeg[]): string {
  return others.some(({ delayMinutes, isCanceled }) => delayMinutes > 0 || isCanceled)
    ? t('Your other sailing, whose tickets stay valid:')
    : t('Your other sailing runs as planned, and its tickets stay valid:');
}

/** The legs of journeys without an offer. */
function listUnaffectedLegs({ legs, offers }: TravelDocument): TravelLeg[] {
  return legs.filter(({ leg }) => !offers.some(({ offer }) => offer.direction === getDirection(leg)));
}

/** Without an offer, which is made only for sailings still to come. */
function askParts(input: TemplateInput): MailBlock[] {
  const { t, settings } = input;
  const contact = describeReach(t, settings.contact);
  return [text(t('You can take another sailing or get your money back. Please {contact}.', { contact }))];
}

function offerParts({ t, document }: TemplateInput, each: TravelOffer): MailBlock[] {
  const [first] = each.protected;
  const until = first && each.protectedUntil;
  return [
    ...each.booked.flatMap((leg) => legParts(leg, document, false)),
    text(
      until
        ? t('We keep places for you on the sailing below until {time}. You pay nothing more.', {
            time: describeInstant(until, first, document.order.locale),
          })
        : t(
            'We keep no places for you on another sailing. The button below shows which ones have enough room for you now.',
          ),
    ),
    ...each.protected.flatMap((leg) => legParts(leg, document, false)),
  ];
}

function answerParts(input: TemplateInput): MailBlock[] {
  const { t, document } = input;
  const { offers, order } = document;
  const money = (amount: number) => formatMoney(amount, order.currency, order.locale);
  const refund = offers.reduce((sum, each) => sum + each.refund, 0);
  const isKept = offers.some(({ protectedUntil }) => protectedUntil !== null);
  return [
    text(
      [
        t('You choose for the whole party, without a fee.'),
        isKept
          ? t('Travel on the sailing we keep, or take another one with room.')
          : t('Take another sailing with room.'),
        describeRefund(t, document, money(refund)),
      ].join(' '),
    ),
    ...offers.flatMap(({ departed }) =>
      departed
        ? [
            text(
              t('If you would rather go back to {port}, please {contact}.', {
                port: departed.origin.name,
                contact: describeReach(t, input.settings.contact),
              }),
            ),
          ]
        : [],
    ),
    ...offers.flatMap(({ openTicketEnd: end, booked: [first] }) =>
      first && end
        ? [
            text(
              t('No sailing suits you yet? Keep an open ticket and choose one by {time}.', {
                time: describeInstant(end, first, order.locale),
              }),
            ),
          ]
        : [],
    ),
    ...offers.map(({ offer, booked: [first] }) =>
      text(first ? describeSilence(t, offer, describeInstant(offer.deadline, first, order.locale)) : ''),
    ),
    ...(order.farePolicy.no_show === 'travel_next_same_day'
      ? [
          text(
            t(
              'Your fare also lets you take a later sailing on the same day. Ask at the ticket booth whether there is room.',
            ),
          ),
        ]
      : []),
    text(
      t(
        'Everyone who has the link to this order can choose a sailing. We email you about each choice, and you can choose again until then.',
      ),
    ),
  ];
}

/** Also what the full refund is for, if it is not for the whole order. */
function describeRefund(t: Translate, document: TravelDocument, amount: string): string {
  const onward = document.offers.find(({ departed }) => departed !== null)?.booked[0];
  if (onward) {
    const { name: port } = onward.origin;
    return t('Or get the full refund of {amount} for the rest of the way from {port}.', { amount, port });
  }
  return listUnaffectedLegs(document).length > 0
    ? t('Or get the full refund of {amount} for this way, or of the whole order.', { amount })
    : t('Or get the full refund of {amount}.', { amount });
}

function describeSilence(t: Translate, { ifUnanswered }: TravelOffer['offer'], deadline: string): string {
  return ifUnanswered === 'refund'
    ? t('Without an answer by {time}, we cancel these tickets. You get the full refund then.', {
        time: deadline,
      })
    : t('You can choose until {time}. If you do nothing, your tickets stay valid.', { time: deadline });
}

/** "Fri, June 5, 2026, 12:00 PM PDT" */
function describeInstant(instant: Date, { origin }: TravelLeg, locale: string): string {
  const { timeZone } = origin;
  return `${formatDate(instant, timeZone, locale)}, ${formatTimeWithZone(instant, timeZone, locale)}`;
}
