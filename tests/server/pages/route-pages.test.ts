import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { vesselAddress } from '#contract/place-pages.ts';
import { sailings, voyageCapacity } from '#server/database/schema/timetable.ts';
import type { LiveData, SentDocument } from '#server/pages/front-end.ts';
import { pageConfig } from '#server/pages/front-end.ts';
import { createSitePages, type SitePages } from '#server/pages/site/site-pages.ts';
import { answerWellKnown } from '#server/pages/well-known.ts';
import { loadHomeData } from '#server/sailings/home-data.ts';
import { sayOfSailings } from '#tests/factories/exceptions.ts';
import { demoSettings } from '#tests/factories/settings.ts';
import { buildFeed, importFeed, MONDAY, sailingOf } from '#tests/factories/timetable.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const isPassenger = eq(voyageCapacity.resource, 'passenger');
const TODAY = '2026-06-01';

let server: TestServer;
let data: LiveData;
let pages: SitePages;
beforeEach(async () => {
  server = await openTestServer({ now: MONDAY });
  await importFeed(server.context.db);
  data = { settings: demoSettings, home: await loadHomeData(server.context), fingerprint: '' };
  pages = openPages();
});
afterEach(() => server.close());

function openPages(context = server.context): SitePages {
  return createSitePages(context, {
    styles: [':root{}'],
    loadData: async () => data,
    createConfig: (settings) => pageConfig(server.context, 'tickets', settings, 'abc'),
  });
}

async function read(pathname: string, from = pages): Promise<string> {
  const page = await from.find(pathname, 'en-US');
  if (!page) throw new Error(`There is no page ${pathname}.`);
  return textOf(page);
}

function textOf({ asset }: SentDocument): string {
  return new TextDecoder().decode(asset.plain);
}

function structuredData(html: string) {
  const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html) ?? [];
  return JSON.parse(json) as { '@graph': Record<string, Record<string, unknown>>[] };
}

describe('the page of a route', () => {
  it('strikes the times of a late sailing, and shows its new ones to readers and machines', async () => {
    const { id } = await sailingOf(server.context.db, 'out-10', TODAY);
    await server.context.db.update(sailings).set({ delayMinutes: 25 }).where(eq(sailings.id, id));
    const html = await read('/routes/NOR-SOU');
    expect(html).toMatch(
      /<s><span class="visually-hidden">planned <\/span>10:00\sAM<\/s> <time datetime="2026-06-01T[^"]*"><span class="visually-hidden">expected <\/span>10:25\sAM/,
    );
    expect(html).toContain('25 min late');
    expect(html).toMatch(/aria-label="[^"]*, the 10:25\sAM sailing"/);
    const [today = ''] = html.split('<h2>Tomorrow');
    expect(today.replaceAll(/<s>.*?<\/s>/g, '')).not.toMatch(/>10:00\sAM/);
    const trips = structuredData(html)['@graph'].map(({ departureTime }) => String(departureTime));
    expect(trips.some((time) => time.startsWith('2026-06-01T10:25'))).toBe(true);
    expect(trips.some((time) => time.startsWith('2026-06-01T10:00'))).toBe(false);
  });

  it('shows the sailings of today and tomorrow with prices and links that buy them', async () => {
    const html = await read('/routes/NOR-SOU');
    expect(html).toContain('<h1>Ferry from North Pier to South Pier</h1>');
    expect(html).toContain('One way from $8.25 for an adult.');
    expect(html).toMatch(
      /<h2>Today, Mon, June 1, 2026<\/h2>.*10:00\sAM.*12:00\sPM.*<h2>Tomorrow, Tue, June 2, 2026/s,
    );
    const { id } = await sailingOf(server.context.db, 'out-10', TODAY);
    expect(html).toContain(`href="/?from=NOR&#38;to=SOU&#38;date=2026-06-01&#38;sailing=${id}"`);
    expect(html.match(/Buy from \$8\.25<\/a>/g)).toHaveLength(4);
    expect(html).toContain('href="/?from=NOR&#38;to=SOU">Buy tickets</a>');
  });

  it('describes itself to search engines and messengers, and needs no script', async () => {
    const html = await read('/routes/NOR-SOU');
    const address = `${server.context.config.origins.tickets}/routes/NOR-SOU`;
    expect(html).toContain('<title>Ferry from North Pier to South Pier | Harbor Line</title>');
    expect(html).toContain(`<link rel="canonical" href="${address}" />`);
    expect(html).toContain(`<meta property="og:url" content="${address}" />`);
    expect(html).toContain('<meta property="og:locale" content="en_US" />');
    expect(html).not.toMatch(/<script(?! type="application\/ld\+json")|\son\w+=|\sstyle=/);
    const [trip, ...others] = structuredData(html)['@graph'];
    expect(others).toHaveLength(3);
    expect(trip).toMatchObject({
      '@type': 'BoatTrip',
      departureTime: '2026-06-01T10:00:00-07:00',
      arrivalTime: '2026-06-01T10:30:00-07:00',
      departureBoatTerminal: { name: 'North Pier', geo: { latitude: 48.1, longitude: -122.1 } },
      provider: { name: 'Harbor Line' },
      offers: { price: '8.25', priceCurrency: 'USD', availability: 'https://schema.org/InStock' },
    });
  });

  it('has a policy that allows its styles and no third-party scripts', async () => {
    const page = await pages.find('/routes/NOR-SOU', 'en-US');
    const policy = page?.headers['Content-Security-Policy'] ?? '';
    const html = Buffer.from(page?.asset.plain ?? []).toString();
    const hashes = Array.from(html.matchAll(/<style>([^<]*)<\/style>/g), ([, style = '']) =>
      createHash('sha256').update(style).digest('base64'),
    );
    expect(hashes.length).toBeGreaterThan(0);
    expect(policy).toContain(`style-src 'self' ${hashes.map((hash) => `'sha256-${hash}'`).join(' ')};`);
    expect(policy).not.toMatch(/googletagmanager|unsafe/);
  });

  it('says what is canceled, late, sold out or gone, and offers none of those that cannot be bought', async () => {
    const { db } = server.context;
    const { id } = await sailingOf(db, 'out-12', TODAY);
    const tomorrow = await sailingOf(db, 'out-10', '2026-06-02');
    const canceled = { kind: 'canceled', fromDay: TODAY, tripKey: 'out-12', reason: 'weather' } as const;
    await sayOfSailings(db, server.clock.now(), canceled);
    await db
      .update(voyageCapacity)
      .set({ sold: 10 })
      .where(and(isPassenger, eq(voyageCapacity.voyageId, tomorrow.voyageId)));
    server.clock.set('2026-06-01T18:00:00.000Z');
    const html = await read('/routes/NOR-SOU');
    expect(html).toContain('Canceled because of the weather.');
    expect(html).toContain('1 sailing has left.');
    expect(html).toContain('All passenger places are taken.');
    expect(html).not.toContain(`sailing=${id}`);
    expect(html.match(/Buy from/g)).toHaveLength(2);
    expect(structuredData(html)['@graph'].map(({ offers }) => offers?.availability)).toEqual([
      'https://schema.org/SoldOut',
      'https://schema.org/InStock',
    ]);
  });

  it('shows a map with the boats under way, where they are by the timetable and their delay', async () => {
    const boats = (html: string) => [...html.matchAll(/class="map-boat" cx="([\d.]+)" cy="([\d.]+)"/g)];
    expect(boats(await read('/routes/NOR-SOU'))).toEqual([]);
    server.clock.set('2026-06-01T17:15:00.000Z');
    pages.expire();
    const html = await read('/routes/NOR-SOU');
    const [north, south] = [...html.matchAll(/<g class="map-end"><circle cx="([\d.]+)" cy="([\d.]+)"/g)];
    const middle = [1, 2].map((at) => (Number(north?.[at]) + Number(south?.[at])) / 2);
    const isInTheMiddle = [middle.map((each) => expect.closeTo(each, 0))];
    expect(boats(html).map(([, x, y]) => [Number(x), Number(y)])).toEqual(isInTheMiddle);
    const all = await read('/routes');
    expect(boats(all).map(([, x, y]) => [Number(x), Number(y)])).toEqual(isInTheMiddle);
    expect(all).toContain('is under way to South Pier');
    const back = await read('/routes/SOU-NOR');
    expect(boats(back)).toHaveLength(1);
    expect(back).not.toContain('is under way');
    expect(html).toMatch(/is under way to South Pier and arrives at 10:30\sAM\./);
    const { id } = await sailingOf(server.context.db, 'out-10', TODAY);
    await server.context.db.update(sailings).set({ delayMinutes: 30 }).where(eq(sailings.id, id));
    pages.expire();
    expect(boats(await read('/routes/NOR-SOU'))).toEqual([]);
  });

  it('has no map if the feed does not say where its ports are', async () => {
    const { home } = data;
    const inLanguage = (language: string) => {
      const shown = home.inLanguage(language);
      const ports = shown.catalogue.ports.map((port) => ({ ...port, lat: null, lon: null }));
      return { ...shown, catalogue: { ...shown.catalogue, ports } };
    };
    data = { ...data, home: { ...home, inLanguage } };
    expect(await read('/routes/NOR-SOU')).not.toContain('<svg');
    expect(await read('/routes')).not.toContain('<svg');
  });

  it('shows what the operator says about its ports and line once, above the sailings', async () => {
    const { db } = server.context;
    const notice = { kind: 'notice', fromDay: TODAY, text: 'The café is closed.' } as const;
    await sayOfSailings(db, server.clock.now(), notice);
    const html = await read('/routes/NOR-SOU');
    expect(html.match(/The café is closed\./g)).toHaveLength(1);
    expect(html).toMatch(/<p class="site-notice" data-tone="warning">The café is closed\.<\/p><h2>Today/);
  });

  it('is found in any case, and only for ports with a direct line', async () => {
    expect(await read('/routes/nor-sou')).toContain('/routes/NOR-SOU');
    expect(await pages.find('/routes/NOR-NOR', 'en-US')).toBeNull();
    expect(await pages.find('/routes/', 'en-US')).toBeNull();
    expect(await pages.find('/departures', 'en-US')).toBeNull();
  });

  it('asks the database once in half a minute, and at once after a change of the operator’s data', async () => {
    const first = await pages.find('/routes/NOR-SOU', 'en-US');
    await server.context.db.update(voyageCapacity).set({ sold: 10 }).where(isPassenger);
    expect(await pages.find('/routes/NOR-SOU', 'en-US')).toBe(first);
    pages.expire();
    expect(await read('/routes/NOR-SOU')).not.toContain('Buy from');
    await server.context.db.update(voyageCapacity).set({ sold: 0 });
    server.clock.advance(30_000);
    expect(await read('/routes/NOR-SOU')).toContain('Buy from');
  });

  it('is readable without the database: with its last sailings, or with none', async () => {
    const broken = {
      ...server.context,
      get db(): never {
        throw new Error('The database is away.');
      },
    };
    expect(await read('/routes/NOR-SOU', openPages(broken))).toMatch(
      /Ferry from North Pier.*The sailings cannot be shown at the moment.*Buy tickets|Buy tickets.*cannot be shown/s,
    );
    expect(server.logged.map(({ event }) => event)).toContain('public page without live data');
  });
});

it('The list of routes names each with its cheapest price', async () => {
  const html = await read('/routes');
  expect(html).toMatch(/<a href="\/routes\/NOR-SOU">North Pier to South Pier<\/a>.*?from \$8\.25/);
  expect(html).toContain('<a href="/routes/SOU-NOR">');
});

it('The list of routes says what is canceled today, and what the operator says', async () => {
  const { db } = server.context;
  const canceled = { kind: 'canceled', fromDay: TODAY, tripKey: 'out-12' } as const;
  const notice = {
    kind: 'notice',
    fromDay: TODAY,
    text: 'Expect fog.',
    translations: { 'text@de': 'Es wird neblig.' },
  } as const;
  await sayOfSailings(db, server.clock.now(), canceled, notice);
  const html = await read('/routes');
  expect(html).toMatch(/North Pier to South Pier<\/a>(?:(?!<li).)*Canceled today: 12:00\sPM/);
  expect(html.match(/Canceled today/g)).toHaveLength(1);
  expect(html).toContain('<p class="site-notice" data-tone="warning">Expect fog.</p>');
  const german = await pages.find('/routes', 'de');
  expect(german && textOf(german)).toMatch(/Es wird neblig\..*Heute fallen aus: 12:00/s);
  server.clock.set('2026-06-02T08:00:00.000Z');
  pages.expire();
  expect(await read('/routes')).not.toMatch(/Canceled today|Expect fog/);
});

it('The map shows the coastline of the feed', async () => {
  expect(await read('/routes')).not.toContain('<path class="map-land"');
  const ring = [
    [-122.2, 48],
    [-122, 48],
    [-122, 48.2],
    [-122.2, 48],
  ];
  await importFeed(
    server.context.db,
    buildFeed({ 'coastline.geojson': JSON.stringify({ type: 'Polygon', coordinates: [ring] }) }),
  );
  data = { ...data, home: await loadHomeData(server.context) };
  pages.expire();
  expect(await read('/routes')).toMatch(/<path class="map-land" d="M[\d. L-]+Z"\/>/);
});

describe('what pages without the app share', () => {
  it('have the links of the app’s header, and mark the current one', async () => {
    for (const [path, label] of [
      ['/routes', 'Routes'],
      ['/routes/NOR-SOU', 'Routes'],
      ['/help', 'Help'],
    ] as const) {
      const [, nav = ''] = /<nav class="site-links"[^>]*>(.*?)<\/nav>/.exec(await read(path)) ?? [];
      expect(nav.match(/>[^<]+</g)).toEqual(['>Book<', '>Departures<', '>Routes<', '>Help<']);
      expect(nav.match(/aria-current="page">[^<]+/g)).toEqual([`aria-current="page">${label}`]);
    }
  });

  it('name the light at the port, with which their header is painted', async () => {
    expect(await read('/routes')).toContain('data-sky="day"');
    server.clock.set('2026-06-02T08:00:00.000Z');
    expect(await read('/routes/NOR-SOU')).toContain('data-sky="night"');
  });

  it('are there in each language', async () => {
    const page = await pages.find('/help', 'de');
    expect(page && textOf(page)).toContain('<h1>Hilfe</h1>');
  });
});

it('The help page shows how to reach the operator, as far as the operator says', async () => {
  expect(await read('/help')).toMatch(/href="tel:\+12065550142".*href="mailto:help@harborline\.example"/s);
  const contact = { phone: null, email: null, url: null, booth_hours: null };
  data = { ...data, settings: { ...demoSettings, contact } };
  const html = await read('/help');
  expect(html).not.toMatch(/tel:|mailto:|<dl/);
  expect(html).toContain('Find my tickets');
});

it('The sitemap lists the pages of ports and routes in each language, with links to the others', async () => {
  const loadData = async () => data;
  const reply = await answerWellKnown(server.context, {
    host: 'tickets',
    pathname: '/sitemap.xml',
    loadData,
  });
  const { tickets } = server.context.config.origins;
  const text = (await reply?.text()) ?? '';
  const addresses = [...text.matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url);
  expect(addresses).toEqual(
    [
      '/',
      '/departures',
      '/departures/NOR',
      '/departures/SOU',
      '/routes',
      '/routes/NOR-SOU',
      '/routes/SOU-NOR',
      '/terminals/NOR',
      '/terminals/SOU',
      ...data.home.catalogue.vessels.map(({ name }) => vesselAddress(name)),
      '/help',
    ].flatMap((path) => ['', '?lang=de', '?lang=nb', '?lang=fr'].map((version) => tickets + path + version)),
  );
  const [french = ''] = text.match(/<url><loc>[^<]*\/routes\?lang=fr<.*?<\/url>/) ?? [];
  const links = [...french.matchAll(/<xhtml:link rel="alternate" hreflang="(.*?)" href="(.*?)"\/>/g)];
  expect(links.map(([, language, address]) => [language, address])).toEqual([
    ['en', `${tickets}/routes`],
    ['de', `${tickets}/routes?lang=de`],
    ['nb', `${tickets}/routes?lang=nb`],
    ['fr', `${tickets}/routes?lang=fr`],
    ['x-default', `${tickets}/routes`],
  ]);
});
