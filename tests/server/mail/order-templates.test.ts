import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readConfig } from '#server/config.ts';
import { escapeHtml } from '#server/core/markup.ts';
import { createVault } from '#server/core/vault.ts';
import {
  findTravelDocument,
  type TravelDocument,
  type TravelOffer,
} from '#server/documents/travel-document.ts';
import { formatTimeWithZone } from '#server/documents/travel-text.ts';
import { renderHtml, renderText } from '#server/mail/mail-content.ts';
import { ORDER_MAILS, type OrderMailKind, orderMailContent } from '#server/mail/templates/order.ts';
import { createTicketSigner } from '#server/orders/tickets/keys.ts';
import { defaultWebSettings } from '#server/settings/merge-settings.ts';
import { buildConfirmedOrder } from '#tests/factories/confirmed-order.ts';
import { demoSettings } from '#tests/factories/settings.ts';
import { findHardSentences, textsOf } from '#tests/factories/wording.ts';
import { openTestDatabase, type TestDatabase } from '#tests/setup/database.ts';

const EVIL = '<img src=x onerror=alert(1)>"\'&';
const KINDS = Object.keys(ORDER_MAILS) as OrderMailKind[];
const CHOICE_KINDS = [
  'sailing-canceled',
  'sailing-delayed',
  'sailing-overbooked',
  'rebooking-offer-changed',
  'sailing-kept-moved',
] as const;
const origin = readConfig({}).origins.tickets;
const clock = { now: () => new Date('2026-06-01T15:00:00Z') };
let database: TestDatabase;
let document: TravelDocument;

beforeAll(async () => {
  database = await openTestDatabase();
  const { db } = database;
  const ticketSigner = await createTicketSigner({
    db,
    vault: createVault('thirty-two characters of a secret'),
    clock,
  });
  const order = await buildConfirmedOrder(
    { db, clock, ticketSigner },
    { name: EVIL, plate: EVIL, originName: EVIL, travelerNames: [`Ada ${EVIL}`] },
  );
  const stored = await findTravelDocument(db, order.id);
  if (!stored) throw new Error('The order is not there.');
  document = stored;
});
afterAll(() => database.close());

describe('order mails', () => {
  it.each(KINDS)('of the kind %s escape every value', (kind) => {
    const html = renderHtml(write(kind));
    expect(html).not.toContain('<img src=x');
    expect(html).not.toMatch(/onerror=alert\(1\)>"/);
    if (!['order-confirmed-late', 'order-address-changed'].includes(kind))
      expect(html).toContain(escapeHtml(EVIL));
  });

  it.each(KINDS)('of the kind %s contain no table, no script and nothing from another server', (kind) => {
    const html = renderHtml(write(kind));
    expect(html).not.toMatch(/<table|<script(?! type="application\/ld\+json")|<link|url\(|@import/i);
    for (const [, source = ''] of html.matchAll(/src="([^"]*)"/g)) expect(source).toMatch(/^cid:/);
    for (const [, link = ''] of html.matchAll(/href="([^"]*)"/g)) {
      const isOperators = Object.values<unknown>(demoSettings.legal).includes(link);
      const isMap = link.startsWith('https://www.openstreetmap.org/');
      expect(link.startsWith(origin) || isMap || isOperators).toBe(true);
    }
  });

  it('with tickets describe each crossing to mail readers, and those without describe none', () => {
    const [, json = ''] =
      /<script type="application\/ld\+json">(.*?)<\/script>/.exec(renderHtml(write('order-confirmed'))) ?? [];
    const [reservation] = JSON.parse(json)['@graph'];
    const [leg] = document.legs;
    const own = document.tickets.filter((ticket) => ticket.leg === leg?.leg);
    expect(reservation).toMatchObject({
      '@type': 'BoatReservation',
      reservationNumber: document.order.reference,
      reservationStatus: 'https://schema.org/ReservationConfirmed',
      underName: { name: EVIL },
      reservationFor: { departureTime: leg?.departsAt.toISOString() },
      reservedTicket: own.map(({ boardingCode, payload }) => ({
        ticketNumber: boardingCode,
        ticketToken: `qrCode:${payload}`,
      })),
    });
    expect(json).not.toContain('Ada');
    expect(renderHtml(write('order-link'))).not.toContain('ld+json');
  });

  it.each(KINDS)('of the kind %s have no sentence that is too long or negates twice', (kind) => {
    const mail = orderMailContent(kind, {
      document: { ...document, order: { ...document.order, contactName: 'Ada Lovelace' } },
      settings: demoSettings,
      origin,
    });
    expect(textsOf(mail).flatMap(findHardSentences)).toEqual([]);
  });

  it.each(['refund', 'keep'] as const)(
    'name the kept sailing, the refund and the deadline in plain sentences, where silence means %s',
    (ifUnanswered) => {
      const legs = document.legs.map((leg) => ({ ...leg, origin: { ...leg.origin, name: 'Seattle' } }));
      const booked = legs.slice(0, 1);
      const until = new Date('2026-06-04T15:00:00Z');
      const offer = { direction: 'out', deadline: until, ifUnanswered } as TravelOffer['offer'];
      const places = { booked, departed: null, protected: booked, protectedUntil: until };
      const offers = [{ offer, ...places, openTicketEnd: until, refund: 6025 }];
      const order = { ...document.order, contactName: 'Ada Lovelace' };
      for (const kind of CHOICE_KINDS) {
        const input = { document: { ...document, order, legs, offers }, settings: demoSettings, origin };
        const mail = orderMailContent(kind, input);
        expect(textsOf(mail).flatMap(findHardSentences)).toEqual([]);
        const text = renderText(mail);
        expect(text).toContain('get the full refund of $60.25 for this way, or of the whole order');
        expect(text).toContain('until Thu, June 4, 2026, 8:00 AM PDT');
        expect(text).toContain(
          ifUnanswered === 'refund' ? 'You get the full refund then' : 'your tickets stay valid',
        );
      }
    },
  );

  it('name both boats of a connection that a delay breaks, and the choice', () => {
    const [leg] = document.legs;
    if (!leg) throw new Error('The order has no leg.');
    const port = (name: string) => ({ ...leg.origin, name, transferMinutes: 20 });
    const first = { ...leg, origin: port('West'), destination: port('Middle'), vesselName: 'MV Heron' };
    const onward = {
      ...first,
      ...{ leg: 'out_onward' as const, origin: port('Middle'), destination: port('East') },
      ...{ vesselName: 'MV Puffin', departsAt: new Date(first.arrivesAt.getTime() + 30 * 60_000) },
      arrivesAt: new Date(first.arrivesAt.getTime() + 90 * 60_000),
    };
    const writeLate = (delayMinutes: number) => {
      const booked = [{ ...first, delayMinutes }, onward];
      const offer = {
        direction: 'out',
        deadline: first.departsAt,
        ifUnanswered: 'keep',
      } as TravelOffer['offer'];
      const offers = [
        {
          offer,
          booked,
          departed: null,
          protected: [],
          protectedUntil: null,
          openTicketEnd: null,
          refund: 6025,
        },
      ];
      const order = { ...document.order, contactName: 'Ada Lovelace' };
      const input = {
        document: { ...document, order, legs: booked, offers },
        settings: demoSettings,
        origin,
      };
      return orderMailContent('sailing-delayed', input);
    };
    const mail = writeLate(15);
    expect(textsOf(mail).flatMap(findHardSentences)).toEqual([]);
    for (const words of [
      'You will miss your connection',
      'Your first boat, MV Heron from West to Middle, is 15 min late.',
      'It arrives in Middle too late for your second boat, MV Puffin to East.',
      'Or get the full refund of $60.25.',
    ]) {
      expect(renderText(mail)).toContain(words);
    }
    expect(renderText(writeLate(10))).toContain('Your sailing is late');
  });

  it('confirm an order with everything a traveler needs, as text and as HTML', () => {
    const mail = write('order-confirmed');
    for (const body of [renderText(mail), renderHtml(mail)]) {
      for (const words of [
        'K7M4-QXP8',
        'Fri, June 5, 2026',
        '9:30 AM PDT',
        '9:10 AM PDT',
        '7:05 PM CEST',
        'Mon, June 8, 2026',
        '10:10 PM CEST',
        'MV Wenatchee',
        'Wheelchair places on this boat: 4.',
        '$40.00',
        '$120.50',
        'Full refund until Thu, Jun 4, 9:30 AM PDT (return: Sun, Jun 7, 10:10 PM CEST).',
        `${origin}/orders/${document.order.id}/confirmation`,
        'openstreetmap.org',
        ...document.tickets.map((ticket) => ticket.boardingCode),
      ]) {
        expect(body).toContain(words);
      }
    }
  });

  it('tell tickets apart by the name of the traveler, and by position where there is none', () => {
    const mail = write('order-confirmed');
    expect(renderText(mail)).toContain(`Ada ${EVIL} (Adult)\nBoarding code`);
    expect(renderText(mail)).toContain('Adult (2 of 2)\nBoarding code');
    expect(renderText(mail)).toContain(`Car with trailer, ${EVIL}\nBoarding code`);
    expect(renderHtml(mail)).toContain(`>${escapeHtml(`Ada ${EVIL}`)}</p>`);
    expect(renderHtml(mail)).toContain('>2 of 2</p>');
  });

  it('link to the order that was asked for', () => {
    const url = `${origin}/orders/${document.order.id}/confirmation`;
    for (const body of [renderText(write('order-link')), renderHtml(write('order-link'))]) {
      expect(body).toContain(url);
    }
  });

  it('explain that a late payment got places, or that it is refunded', () => {
    expect(renderText(write('order-confirmed-late'))).toContain('We still had room');
    const refunded = renderText(write('order-refunded'));
    expect(refunded).toContain('$120.50');
    expect(refunded).toContain('no room left');
    expect(refunded).not.toContain(document.tickets[0]?.boardingCode);
  });

  it('report a canceled sailing', () => {
    const legs = document.legs.map((leg) => ({ ...leg, isCanceled: true, statusText: 'Fog.' }));
    expect(renderText(write('sailing-canceled', { ...document, legs }))).toContain(
      'This sailing is canceled. Fog.',
    );
  });

  it.each(KINDS)('of the kind %s name no planned time of a late sailing without its new one', (kind) => {
    const legs = document.legs.map((leg) => ({ ...leg, delayMinutes: 25, statusText: 'Fog.' }));
    const [first] = document.legs;
    if (!first) throw new Error('The order has no crossing.');
    const format = (instant: Date, zone: string) => formatTimeWithZone(instant, zone, 'en-US');
    const later = (instant: Date) => new Date(instant.getTime() + 25 * 60_000);
    const planned = format(first.departsAt, first.origin.timeZone);
    const expected = format(later(first.departsAt), first.origin.timeZone);
    // The deadlines of a fare's rules count from the timetable.
    const lines = renderText(write(kind, { ...document, legs }))
      .split('\n')
      .filter((line) => line.includes(planned) && !/until|before/.test(line));
    for (const line of lines) expect(line).toContain(`${expected} instead of ${planned}`);
  });

  it('say how late a sailing is, and both times of its departure and arrival', () => {
    const legs = document.legs.map((leg) => ({ ...leg, delayMinutes: 25, statusText: 'Fog.' }));
    const changed = write('sailing-changed', { ...document, legs });
    expect(renderText(changed)).toContain('This sailing is 25 min late. Fog.');
    expect(renderText(changed)).toMatch(/Departs: \d+:\d\d [AP]M P[DS]T instead of \d+:\d\d [AP]M P[DS]T, /);
    expect(renderHtml(changed)).toMatch(/instead of <s [^>]*>\d+:\d\d [AP]M P[DS]T<\/s>, /);
  });

  it.each(Object.keys(ORDER_MAILS) as OrderMailKind[])(
    'show no contact in a mail of kind %s where the operator has set none',
    (kind) => {
      const mail = orderMailContent(kind, { document, settings: defaultWebSettings, origin });
      const text = renderText(mail) + renderHtml(mail);
      expect(text).not.toMatch(/null|undefined|Harbor|harborline/);
      expect(mail.footer[0]).toBe('Ferry tickets');
    },
  );

  it.each(KINDS)('of the kind %s greet a buyer without a name', (kind) => {
    for (const locale of ['en', 'de', 'nb', 'fr']) {
      const order = { ...document.order, contactName: '', locale };
      const mail = write(kind, { ...document, order });
      const text = renderText(mail);
      expect(text).not.toMatch(/(Hello|Guten Tag|Hei|Bonjour),? [,.]/);
      expect(renderHtml(mail)).not.toContain('"name":""');
    }
  });

  it.each([
    ['en', 'Hello Ada, here are', 'Hello, here are'],
    ['de', 'Guten Tag Ada, hier sind', 'Guten Tag, hier sind'],
    ['nb', 'Hei, Ada. Her er', 'Hei! Her er'],
    ['fr', 'Bonjour Ada, voici', 'Bonjour, voici'],
  ])('greet in the language %s by name, where one is known', (locale, named, unnamed) => {
    const writeTo = (contactName: string) =>
      renderText(
        write('order-confirmed', { ...document, order: { ...document.order, contactName, locale } }),
      );
    expect(writeTo('Ada')).toContain(named);
    expect(writeTo('')).toContain(unnamed);
  });

  it('ignore an invalid accent color', () => {
    const mail = { ...write('order-link'), accent: 'red;background:url(//evil.test)' };
    expect(renderHtml(mail)).not.toContain('evil.test');
  });
});

function write(kind: OrderMailKind, of = document) {
  return orderMailContent(kind, { document: of, settings: demoSettings, origin });
}
