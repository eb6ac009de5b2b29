import { formatMoney } from '#domain/format/money.ts';
import { describeContact } from '#domain/orders/contact.ts';
import { getDirection } from '#domain/orders/legs.ts';
import { isConnectionMissed } from '#domain/sailings/connections.ts';
import { describeLateness } from '#domain/sailings/crossing-times.ts';
import type { TravelDocument, TravelLeg, TravelOffer } from '#server/documents/travel-document.ts';
import { formatDate, formatTimeWithZone } from '#server/documents/travel-text.ts';
import { type MailBlock, type MailTexts, text } from '../mail-content.ts';
import { assistanceParts, legParts, orderButton, type TemplateInput } from './order-parts.ts';

/*
 * The mails about sailings that do not run as bought. Each says what happened, what it means for the party, what it may
 * choose and until when, and what happens without an answer.
 */

export function sailingChanged(input: TemplateInput): MailTexts {
  const { document } = input;
  return {
    title: 'Your sailing has changed',
    parts: [
      text('We changed your sailing. Your tickets stay valid. These are the times now:'),
      ...document.legs.flatMap((leg) => legParts(leg, document, false)),
      orderButton(input),
    ],
  };
}

export function sailingCanceled(input: TemplateInput): MailTexts {
  return {
    title: 'Your sailing is canceled',
    parts: [text('We are sorry.'), ...choiceParts(input)],
  };
}

export function sailingDelayed(input: TemplateInput): MailTexts {
  const missed = input.document.offers.flatMap(describeMissedConnection);
  if (missed.length > 0) {
    return {
      title: 'You will miss your connection',
      parts: [...missed.map(text), text('We are sorry.'), ...choiceParts(input)],
    };
  }
  const why = 'Your sailing is late. Check-in stays as planned. We are sorry.';
  return { title: 'Your sailing is late', parts: [text(why), ...choiceParts(input)] };
}

/** The delay may change before the mail is sent. */
export function sailingLate(input: TemplateInput): MailTexts {
  const { document } = input;
  if (!document.legs.some(({ delayMinutes }) => delayMinutes > 0)) return sailingOnTime(input);
  const why = text('Your sailing is late. Check-in stays as planned. We are sorry.');
  if (document.offers.length > 0)
    return { title: 'Your sailing is late', parts: [why, ...choiceParts(input)] };
  return {
    title: 'Your sailing is late',
    parts: [
      why,
      text('Your tickets stay valid. These are the times now:'),
      ...document.legs.flatMap((leg) => legParts(leg, document, false)),
      text('We email you again if this changes by much. The times are always on the page of your order.'),
      orderButton(input),
    ],
  };
}

export function sailingOnTime(input: TemplateInput): MailTexts {
  const { document } = input;
  if (document.legs.some(({ delayMinutes }) => delayMinutes > 0)) return sailingLate(input);
  if (document.legs.some(({ isCanceled }) => isCanceled)) return sailingCanceled(input);
  return {
    title: 'Your sailing is on time again',
    parts: [
      text(
        'We told you that your sailing is late. That is over: it leaves as planned. Your tickets stay valid.',
      ),
      ...document.legs.flatMap((leg) => legParts(leg, document, false)),
      orderButton(input),
    ],
  };
}

/** Which boats of a journey no longer connect; nothing if they do. */
function describeMissedConnection({ departed, booked }: TravelOffer): string[] {
  const [first, onward] = departed ? [departed, ...booked] : booked;
  if (!first || !onward) return [];
  const { destination: port, delayMinutes, vesselName } = first;
  if (!isConnectionMissed(inMilliseconds(first), inMilliseconds(onward), port.transferMinutes ?? 0))
    return [];
  return [
    `Your first boat, ${vesselName} from ${first.origin.name} to ${port.name}, is ${describeLateness(delayMinutes)}.${departed ? '' : ' Check-in for it stays as planned.'}`,
    `It arrives in ${port.name} too late for your second boat, ${onward.vesselName} to ${onward.destination.name}.`,
  ];
}

function inMilliseconds({ departsAt, arrivesAt, delayMinutes }: TravelLeg) {
  return { departsAt: departsAt.getTime(), arrivesAt: arrivesAt.getTime(), delayMinutes };
}

export function sailingOverbooked(input: TemplateInput): MailTexts {
  const why = 'A smaller boat runs on your sailing. It may not have room for all of you. We are sorry.';
  return { title: 'There may be no room on your sailing', parts: [text(why), ...choiceParts(input)] };
}

export function offerChanged(input: TemplateInput): MailTexts {
  const why = 'The sailing on which we kept places for you has changed too. We are sorry.';
  return { title: 'Your choice of sailings has changed', parts: [text(why), ...choiceParts(input)] };
}

/** The party may have chosen, and the times may have changed again, before the mail is sent. */
export function keptMoved(input: TemplateInput): MailTexts {
  const protectedSailings = input.document.offers.flatMap((offer) => offer.protected);
  if (protectedSailings.length === 0) return offerChanged(input);
  if (protectedSailings.some(({ delayMinutes }) => delayMinutes > 0)) {
    const why =
      'The sailing on which we keep places for you is late. Check-in for it stays as planned. We are sorry.';
    return { title: 'The sailing we keep for you is late', parts: [text(why), ...choiceParts(input)] };
  }
  const why = 'The sailing on which we keep places for you has other times than we told you. They are below.';
  return { title: 'The sailing we keep for you has other times', parts: [text(why), ...choiceParts(input)] };
}

export function rebooked(input: TemplateInput): MailTexts {
  const { document } = input;
  const { order, legs, choiceUntil } = document;
  const [first] = legs;
  return {
    title: 'You travel on another sailing',
    parts: [
      text(
        `Hello ${order.contactName}, your party of order ${order.reference} now travels as shown here, at no charge. The earlier tickets of the changed trip are no longer valid.`,
      ),
      ...(first && choiceUntil
        ? [
            text(
              `You can choose again until ${describeInstant(choiceUntil, first, order.locale)}. Do so with the button below, also if you did not choose this yourself.`,
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
  const { order } = input.document;
  const why = `Hello ${order.contactName}, you keep an open ticket of order ${order.reference}. It costs nothing more.`;
  return { title: 'You keep an open ticket', parts: [text(why), ...openTicketParts(input)] };
}

export function openTicketEnds(input: TemplateInput): MailTexts {
  const { order } = input.document;
  const why = `Hello ${order.contactName}, the open ticket of order ${order.reference} ends soon.`;
  return { title: 'Your open ticket ends soon', parts: [text(why), ...openTicketParts(input)] };
}

/** The buyer may have chosen a sailing before the mail is sent. */
function openTicketParts(input: TemplateInput): MailBlock[] {
  const { document } = input;
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
        text(`Choose a sailing by ${until}. We keep no places for you, and boats may fill up.`),
        text(
          `You can get the full refund of ${money} at any time until then. If you choose nothing, we cancel these tickets and you get it then.`,
        ),
      ];
    }),
    orderButton(input, own.length === 0 ? undefined : 'Choose a sailing'),
    ...(own.length > 0 && others.length > 0 ? [text(introduceOthers(others))] : []),
    ...others.flatMap((leg) => legParts(leg, document, false)),
  ];
}

function choiceParts(input: TemplateInput): MailBlock[] {
  const { document } = input;
  const { offers } = document;
  const others = listUnaffectedLegs(document);
  return [
    ...offers.flatMap((offer) => offerParts(input, offer)),
    ...(offers.length === 0 ? askParts(input) : []),
    orderButton(input, offers.length === 0 ? undefined : 'Choose what to do'),
    ...(offers.length === 0 ? [] : answerParts(input)),
    ...(offers.length > 0 && others.length > 0 ? [text(introduceOthers(others))] : []),
    ...others.flatMap((leg) => legParts(leg, document, false)),
  ];
}

function introduceOthers(others: readonly TravelLeg[]): string {
  return others.some(({ delayMinutes, isCanceled }) => delayMinutes > 0 || isCanceled)
    ? 'Your other sailing, whose tickets stay valid:'
    : 'Your other sailing runs as planned, and its tickets stay valid:';
}

/** The legs of journeys without an offer. */
function listUnaffectedLegs({ legs, offers }: TravelDocument): TravelLeg[] {
  return legs.filter(({ leg }) => !offers.some(({ offer }) => offer.direction === getDirection(leg)));
}

/** Without an offer, which is made only for sailings still to come. */
function askParts(input: TemplateInput): MailBlock[] {
  return [text(`You can take another sailing or get your money back. Please ${describeReach(input)}.`)];
}

function describeReach({ settings }: TemplateInput): string {
  return describeContact(settings.contact) ?? 'ask at the ticket booth';
}

function offerParts({ document }: TemplateInput, each: TravelOffer): MailBlock[] {
  const [first] = each.protected;
  const until = first && each.protectedUntil;
  return [
    ...each.booked.flatMap((leg) => legParts(leg, document, false)),
    text(
      until
        ? `We keep places for all of you on the sailing below until ${describeInstant(until, first, document.order.locale)}. You pay nothing more.`
        : 'We keep no places for you on another sailing. The button below shows which ones have room for all of you now.',
    ),
    ...each.protected.flatMap((leg) => legParts(leg, document, false)),
  ];
}

function answerParts(input: TemplateInput): MailBlock[] {
  const { document } = input;
  const { offers, order } = document;
  const money = (amount: number) => formatMoney(amount, order.currency, order.locale);
  const refund = offers.reduce((sum, each) => sum + each.refund, 0);
  const isKept = offers.some(({ protectedUntil }) => protectedUntil !== null);
  return [
    text(
      `You choose for the whole party, without a fee. ${isKept ? 'Travel on the sailing we keep, or take another one with room.' : 'Take another sailing with room.'} Or get the full refund of ${money(refund)}${describeRefundedPart(document)}.`,
    ),
    ...offers.flatMap(({ departed }) =>
      departed
        ? [text(`If you would rather go back to ${departed.origin.name}, please ${describeReach(input)}.`)]
        : [],
    ),
    ...offers.flatMap(({ openTicketEnd: end, booked: [first] }) =>
      first && end
        ? [
            text(
              `No sailing suits you yet? Keep an open ticket and choose one by ${describeInstant(end, first, order.locale)}.`,
            ),
          ]
        : [],
    ),
    ...offers.map(({ offer, booked: [first] }) =>
      text(first ? describeSilence(offer, describeInstant(offer.deadline, first, order.locale)) : ''),
    ),
    ...(order.farePolicy.no_show === 'travel_next_same_day'
      ? [
          text(
            'Your fare also lets you take a later sailing on the same day. Ask at the ticket booth whether there is room.',
          ),
        ]
      : []),
    text(
      'Everyone who has the link to this order can choose a sailing. We email you about each choice, and you can choose again until then.',
    ),
  ];
}

/** What the full refund is for, if it is not for the whole order. */
function describeRefundedPart(document: TravelDocument): string {
  const onward = document.offers.find(({ departed }) => departed !== null)?.booked[0];
  if (onward) return ` for the rest of the way from ${onward.origin.name}`;
  return listUnaffectedLegs(document).length > 0 ? ' for this way, or of the whole order' : '';
}

function describeSilence({ ifUnanswered }: TravelOffer['offer'], deadline: string): string {
  return ifUnanswered === 'refund'
    ? `Without an answer by ${deadline}, we cancel these tickets. You get the full refund then.`
    : `You can choose until ${deadline}. If you do nothing, your tickets stay valid.`;
}

/** "Fri, June 5, 2026, 12:00 PM PDT" */
function describeInstant(instant: Date, { origin }: TravelLeg, locale: string): string {
  const { timeZone } = origin;
  return `${formatDate(instant, timeZone, locale)}, ${formatTimeWithZone(instant, timeZone, locale)}`;
}
