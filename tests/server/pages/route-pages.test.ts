import { createHash } from 'node:crypto';
import { and, eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sailings, voyageCapacity } from '#server/database/schema/timetable.ts';
import type { LiveData, SentDocument } from '#server/pages/front-end.ts';
import { pageConfig } from '#server/pages/front-end.ts';
import { createRoutePages, type RoutePages } from '#server/pages/route-pages.ts';
import { answerWellKnown } from '#server/pages/well-known.ts';
import { loadHomeData } from '#server/sailings/home-data.ts';
import { sayOfSailings } from '#tests/factories/exceptions.ts';
import { demoSettings } from '#tests/factories/settings.ts';
import { importFeed, MONDAY, sailingOf } from '#tests/factories/timetable.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const isPassenger = eq(voyageCapacity.resource, 'passenger');
const TODAY = '2026-06-01';

let server: TestServer;
let data: LiveData;
let pages: RoutePages;
beforeEach(async () => {
  server = await openTestServer({ now: MONDAY });
  await importFeed(server.context.db);
  data = { settings: demoSettings, home: await loadHomeData(server.context), fingerprint: '' };
  pages = openPages();
});
afterEach(() => server.close());

function openPages(context = server.context): RoutePages {
  return createRoutePages(context, {
    styles: [':root{}'],
    loadData: async () => data,
    createConfig: (settings) => pageConfig(server.context, 'tickets', settings, 'abc'),
  });
}

async function read(pathname: string, from = pages): Promise<string> {
  const page = await from.find(pathname);
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
    const page = await pages.find('/routes/NOR-SOU');
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

  it('is found in any case, and only for ports with a direct line', async () => {
    expect(await read('/routes/nor-sou')).toContain('/routes/NOR-SOU');
    expect(await pages.find('/routes/NOR-NOR')).toBeNull();
    expect(await pages.find('/routes/')).toBeNull();
    expect(await pages.find('/departures')).toBeNull();
  });

  it('asks the database once in half a minute, and at once after a change of the operator’s data', async () => {
    const first = await pages.find('/routes/NOR-SOU');
    await server.context.db.update(voyageCapacity).set({ sold: 10 }).where(isPassenger);
    expect(await pages.find('/routes/NOR-SOU')).toBe(first);
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
    expect(server.logged.map(({ event }) => event)).toContain('route page without sailings');
  });
});

it('The list of routes names each with its cheapest price', async () => {
  const html = await read('/routes');
  expect(html).toContain('<a href="/routes/NOR-SOU">North Pier to South Pier</a> <span>from $8.25</span>');
  expect(html).toContain('<a href="/routes/SOU-NOR">');
});

it('The sitemap lists the pages of ports and routes', async () => {
  const loadData = async () => data;
  const reply = await answerWellKnown(server.context, {
    host: 'tickets',
    pathname: '/sitemap.xml',
    loadData,
  });
  const { tickets } = server.context.config.origins;
  const addresses = [...((await reply?.text()) ?? '').matchAll(/<loc>(.*?)<\/loc>/g)].map(([, url]) => url);
  expect(addresses).toEqual(
    [
      '/',
      '/departures',
      '/departures/NOR',
      '/departures/SOU',
      '/routes',
      '/routes/NOR-SOU',
      '/routes/SOU-NOR',
    ].map((path) => tickets + path),
  );
});
