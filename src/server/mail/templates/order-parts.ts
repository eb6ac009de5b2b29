import type { LegName } from '#contract/orders/buy/legs.ts';
import { fillPath, ticketPages } from '#contract/paths.ts';
import type { WebSettings } from '#contract/settings/schemas.ts';
import { isIncludedDriver } from '#domain/fares/included-driver.ts';
import { formatMoney } from '#domain/format/money.ts';
import { describeTicket } from '#domain/orders/describe-ticket.ts';
import { describeLeg, isOnwardLeg } from '#domain/orders/legs.ts';
import { describeCard } from '#domain/payments/labels.ts';
import type { ShownTime } from '#domain/sailings/crossing-times.ts';
import { countMinutes } from '#domain/time/port-time.ts';
import { formatTrips } from '#domain/trip-cards/card-amounts.ts';
import type {
  DocumentCancellation,
  MovedMoney,
  TravelDocument,
  TravelLeg,
  TravelPort,
} from '#server/documents/travel-document.ts';
import {
  describeCancellation,
  describeOtherDay,
  describeRoute,
  describeTimes,
  describeVia,
  formatDate,
  formatTimeWithZone,
} from '#server/documents/travel-text.ts';
import { button, codeCid, definitions, heading, link, type MailBlock, text } from '../mail-content.ts';

export type TemplateInput = {
  document: TravelDocument;
  settings: WebSettings;
  /** Configured origin of the ticket host; links never use the request's host. */
  origin: string;
  /** The cancellation that the mail is about. */
  cancellationId?: string | null;
  /** The change that it is about. */
  changeId?: string | null;
};

/** Date, times, boat and terminal of a leg, and its tickets if they are wanted. */
export function legParts(
  leg: TravelLeg,
  { order, tickets, legs }: TravelDocument,
  withTickets: boolean,
): MailBlock[] {
  const { locale } = order;
  const own = tickets.filter((ticket) => ticket.leg === leg.leg);
  const { departs, arrives, lateness } = describeTimes(leg, locale);
  const onDay = (zone: string, { instant }: ShownTime) => {
    const day = describeOtherDay(leg, { instant, zone }, locale);
    return day && ` on ${day}`;
  };
  return [
    heading(describeRoute(leg)),
    ...alertParts(leg, { lateness, locale }),
    ...changeParts(leg, legs),
    definitions(
      ['Date', formatDate(leg.departsAt, leg.origin.timeZone, locale)],
      [
        'Departs',
        {
          time: departs,
          rest: `${onDay(leg.origin.timeZone, departs)}, ${describePlace(leg.origin)}`,
        },
      ],
      ['Check in by', formatTimeWithZone(leg.checkInClosesAt, leg.origin.timeZone, locale)],
      [
        'Arrives',
        {
          time: arrives,
          rest: `${onDay(leg.destination.timeZone, arrives)}, ${leg.destination.name}`,
        },
      ],
      ['Boat', [leg.vesselName, describeVia(leg)].filter(Boolean).join(', ')],
    ),
    ...accessibilityParts(leg),
    ...mapParts(leg.origin),
    ...(withTickets ? own : []).map((ticket): MailBlock => {
      const [who, detail] = describeTicket(ticket, own);
      return { kind: 'ticket', who, detail, code: ticket.boardingCode, cid: codeCid(ticket) };
    }),
  ];
}

function alertParts(
  leg: TravelLeg,
  { lateness, locale }: { lateness: string | null; locale: string },
): MailBlock[] {
  const sentences = [
    describeCancellation(leg, locale),
    lateness === null ? '' : `This sailing is ${lateness}.`,
    leg.statusText,
  ].filter(Boolean);
  return sentences.length > 0 ? [{ kind: 'alert', text: sentences.join(' ') }] : [];
}

/** The assistance that travelers asked for. The mail goes to the order's own address. */
export function assistanceParts({ assistance }: TravelDocument): MailBlock[] {
  if (assistance === null) return [];
  const { travelers, notice } = assistance;
  return [
    heading('Assistance'),
    definitions(...travelers.map(({ who, text: asked }): [string, string] => [who, asked])),
    ...(notice === '' ? [] : [text(notice)]),
  ];
}

function accessibilityParts({ accessibility }: TravelLeg): MailBlock[] {
  return accessibility.length > 0 ? [{ kind: 'list', items: accessibility }] : [];
}

function changeParts(leg: TravelLeg, legs: TravelDocument['legs']): MailBlock[] {
  const before = legs[legs.indexOf(leg) - 1];
  if (!before || !isOnwardLeg(leg.leg)) return [];
  const planned = countMinutes(before.arrivesAt.getTime(), leg.departsAt.getTime());
  const minutes = planned - before.delayMinutes + leg.delayMinutes;
  const { name, transferMinutes } = leg.origin;
  if (minutes >= (transferMinutes ?? planned)) {
    return [text(`You change boats in ${name} and have ${minutes} minutes there.`)];
  }
  const time = minutes > 0 ? `only ${minutes} minutes` : 'no time';
  return [
    {
      kind: 'alert',
      text: `The first boat is late and leaves ${time} to change in ${name}. You may miss this boat. Ask the ticket booth what you can do.`,
    },
  ];
}

function mapParts({ name, lat, lon }: TravelPort): MailBlock[] {
  if (lat === null || lon === null) return [];
  const url = `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=16/${lat}/${lon}`;
  return [link(`Map of the terminal in ${name}`, url)];
}

/** "$10.00 is on its way to your Visa ending in 4242." */
export function describeRefund(
  money: MovedMoney,
  { currency, locale }: Pick<TravelDocument['order'], 'currency' | 'locale'>,
): string {
  const { trips } = money;
  if (trips != null) {
    return `${formatTrips(trips)} ${trips === 1 ? 'is' : 'are'} back on your ${describeCard(money)}.`;
  }
  const sum = formatMoney(money.amount, currency, locale);
  if (money.method === 'trip_card') return `${sum} is back on ${describeCard(money)}.`;
  return `${sum} is on its way to your ${describeCard(money)}. Most banks show it within 5 to 10 days.`;
}

/** What was paid and is refunded of a cancellation. */
export function canceledAmounts(
  { lines, paid, refund }: DocumentCancellation,
  document: TravelDocument,
): MailBlock[] {
  const money = (amount: number) => formatMoney(amount, document.order.currency, document.order.locale);
  const keptAmount = paid - refund;
  const rows: [string, string][] =
    keptAmount > 0 ? [['Not refunded under your fare’s rules', money(-keptAmount)]] : [];
  return [
    {
      kind: 'amounts',
      rows: [...lineRows(lines, [...document.legs, ...document.canceledLegs], money), ...rows],
      total: ['Refund', money(refund)],
    },
  ];
}

/** The lines of an order with their amounts. */
export function lineRows(
  lines: TravelDocument['lines'],
  legs: readonly TravelLeg[],
  money: (amount: number) => string,
): [string, string][] {
  const names = legs.map(({ leg }) => leg);
  const part = (leg: LegName) => {
    const name = describeLeg(leg, names);
    return name === null ? '' : `, ${name.toLowerCase()}`;
  };
  return lines.map((line) => [
    `${line.quantity > 1 ? `${line.quantity} × ` : ''}${line.description}${part(line.leg)}`,
    isIncludedDriver(line) ? 'Included' : money(line.amount),
  ]);
}

/** The button that opens the order. */
export function orderButton({ origin, document }: TemplateInput, label = 'Open your order'): MailBlock {
  return button(label, origin + fillPath(ticketPages.confirmation, { id: document.order.id }));
}

function describePlace({ name, address }: TravelPort): string {
  return [name, address].filter(Boolean).join(', ');
}
