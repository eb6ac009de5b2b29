import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { demoFeedFolder } from '#server/demo/demo-timetable.ts';
import type { LiveData } from '#server/pages/front-end.ts';
import { pageConfig } from '#server/pages/front-end.ts';
import { createPictures } from '#server/pages/site/pictures.ts';
import { createSitePages, type SitePages } from '#server/pages/site/site-pages.ts';
import { loadHomeData } from '#server/sailings/home-data.ts';
import { sayOfSailings } from '#tests/factories/exceptions.ts';
import { demoSettings } from '#tests/factories/settings.ts';
import { buildFeed, importFeed, MONDAY } from '#tests/factories/timetable.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const TODAY = '2026-06-01';

const FEED = buildFeed({
  'vessels.csv': [
    'code,name,name@de,passengers,lane_cm,bicycles,wheelchair_places,accessibility_notes,description,description@de,facilities',
    'osprey,MV Osprey,MS Fischadler,1450,9000,20,2,Level boarding.,A <car> ferry.,Eine Autofähre.,Café.',
    'teal,Teal,,12,,,,,,,',
    '',
  ].join('\n'),
  'assignments.csv': 'vessel,route_id\nosprey,sound\n',
  'ports.csv':
    'stop_id,code,address,step_free,facilities,parking,parking@de,directions\nnorth,NOR,1 Dock Road,partly,Waiting room.,40 spaces.,40 Plätze.,Bus 12.\n',
  'stops.txt': [
    'stop_id,stop_name,stop_lat,stop_lon,stop_desc,stop_url',
    'north,North Pier,48.1,-122.1,The mainland terminal.,https://ferry.example/north/',
    'south,South Pier,48.2,-122.2,,',
    '',
  ].join('\n'),
  'translations.txt':
    'table_name,field_name,language,translation,record_id\nstops,stop_desc,de,Der Terminal auf dem Festland.,north\n',
});

let server: TestServer;
let pages: SitePages;
beforeEach(async () => {
  server = await openTestServer({ now: MONDAY });
  await importFeed(server.context.db, FEED);
  pages = await openPages();
});
afterEach(() => server.close());

async function openPages(context = server.context): Promise<SitePages> {
  const data: LiveData = {
    settings: demoSettings,
    home: await loadHomeData(server.context),
    fingerprint: '',
  };
  return createSitePages(context, {
    styles: [':root{}'],
    loadData: async () => data,
    createConfig: (settings) => pageConfig(server.context, 'tickets', settings, 'abc'),
  });
}

async function read(pathname: string, language = 'en-US', from = pages): Promise<string> {
  const page = await from.find(pathname, language);
  if (!page) throw new Error(`There is no page ${pathname}.`);
  return new TextDecoder().decode(page.asset.plain);
}

describe('the page of a boat', () => {
  it('says how large the boat is, what is on board, how accessible it is, and where it runs', async () => {
    const html = await read('/vessels/mv-osprey');
    expect(html).toContain('<h1>MV Osprey</h1>');
    expect(html).toContain('A &#60;car&#62; ferry.');
    expect(html).toMatch(/Passengers<\/dt><dd>1,450.*Vehicles<\/dt><dd>Yes.*Bicycles<\/dt><dd>20/);
    expect(html).toMatch(/Café\..*Wheelchair places on this boat: 2\..*Level boarding\./s);
    expect(html).toMatch(/href="\/routes\/NOR-SOU">.*href="\/routes\/SOU-NOR">/s);
    expect(html).toContain('class="site-silhouette"');
    expect(html).not.toMatch(/<script(?! type="application\/ld\+json")|\son\w+=|\sstyle=/);
  });

  it('says nothing about what the operator does not say', async () => {
    const html = await read('/vessels/teal');
    expect(html).not.toMatch(/On board|Accessibility<\/h2>|Where it runs/);
    expect(html).toContain('Vehicles</dt><dd>No');
  });

  it('is found under the name in each language, and has one address', async () => {
    const html = await read('/vessels/ms-fischadler', 'de');
    expect(html).toContain('<h1>MS Fischadler</h1>');
    expect(html).toContain('Eine Autofähre.');
    expect(html).toContain('/vessels/mv-osprey?lang=de" />');
    expect(await pages.find('/vessels/titanic', 'en')).toBeNull();
    expect(await pages.find('/vessels', 'en')).toBeNull();
  });

  it('is linked from the sailings of a route', async () => {
    expect(await read('/routes/NOR-SOU')).toContain('href="/vessels/mv-osprey">MV Osprey</a>');
  });
});

describe('the page of a terminal', () => {
  it('says where it is, how to get there and on board, and where boats go', async () => {
    const html = await read('/terminals/NOR');
    expect(html).toContain('<h1>North Pier ferry terminal</h1>');
    expect(html).toMatch(
      /The mainland terminal\..*1 Dock Road.*Bus 12\..*40 spaces\..*Partly step-free.*Waiting room\..*href="https:\/\/ferry\.example\/north\/">ferry\.example\/north</s,
    );
    expect(html).toContain('href="/departures/NOR"');
    expect(html).toContain('href="/routes/NOR-SOU"');
    expect(html).not.toContain('href="/routes/SOU-NOR"');
    expect(html).toMatch(/"@type":"BoatTerminal","name":"North Pier"/);
  });

  it('is in the reader’s language as far as the operator’s texts are, and shows the notices of its port', async () => {
    await sayOfSailings(server.context.db, server.clock.now(), {
      ...{ kind: 'notice', fromDay: TODAY, text: 'The café is closed.' },
      translations: { 'text@de': 'Das Café hat geschlossen.' },
    });
    const html = await read('/terminals/nor', 'de');
    expect(html).toContain('<h1>Fährterminal North Pier</h1>');
    expect(html).toContain('Der Terminal auf dem Festland.');
    expect(html).toContain('40 Plätze.');
    expect(html).toContain('Das Café hat geschlossen.');
  });

  it('is there for ports with boats only, and readable without the database', async () => {
    expect(await pages.find('/terminals/XYZ', 'en')).toBeNull();
    const broken = {
      ...server.context,
      get db(): never {
        throw new Error('The database is away.');
      },
    };
    expect(await read('/terminals/SOU', 'en', await openPages(broken))).toContain(
      'South Pier ferry terminal',
    );
    expect(await read('/vessels/teal', 'en', await openPages(broken))).toContain('<h1>Teal</h1>');
  });
});

describe('the pictures of boats and terminals', () => {
  const webp = readFileSync(join(demoFeedFolder, 'pictures/tidewater.webp'));
  const jpeg = readFileSync(join(demoFeedFolder, 'pictures/port-madrona.jpg'));

  beforeEach(async () => {
    const named = buildFeed({
      'vessels.csv':
        'code,name,passengers,picture,picture_alt,picture_alt@de\nosprey,MV Osprey,149,osprey.webp,"A ""white"" ferry.",Eine weiße Fähre.\n',
      'ports.csv': 'stop_id,code,picture\nnorth,NOR,north.jpg\n',
    });
    const files = new Map([...named, ['osprey.webp', webp] as const, ['north.jpg', jpeg] as const]);
    await importFeed(server.context.db, files);
    pages = await openPages();
  });

  it('stand on the page of the boat in place of the drawing, with their size and text', async () => {
    const html = await read('/vessels/mv-osprey');
    expect(html).toMatch(
      /<img class="site-picture" src="\/pictures\/[\w-]{22}\.webp" alt="A &#34;white&#34; ferry\." width="960" height="540" decoding="async" \/>/,
    );
    expect(html).not.toContain('class="site-silhouette"');
    expect(html).toMatch(/property="og:image" content="http[^"]*\/pictures\/[\w-]{22}\.webp"/);
    expect(html).toContain('property="og:image:alt" content="A &#34;white&#34; ferry."');
    expect(await read('/vessels/mv-osprey', 'de')).toContain('alt="Eine weiße Fähre."');
  });

  it('load late on the page of the terminal, and are decoration without a text', async () => {
    const html = await read('/terminals/NOR');
    expect(html).toMatch(/src="\/pictures\/[\w-]{22}\.jpg" alt="" .*loading="lazy"/);
    expect(html).toMatch(/"image":"http[^"]*\/pictures\/[\w-]{22}\.jpg"/);
    const without = await read('/terminals/SOU');
    expect(without).not.toMatch(/site-picture"|"image":|og:image:alt/);
    expect(without).toMatch(/property="og:image" content="[^"]*icon/);
  });

  it('are sent from their addresses, which never change, and are kept while pages may still name them', async () => {
    const [path = ''] = /\/pictures\/[\w.-]+/.exec(await read('/vessels/mv-osprey')) ?? [];
    const context = { db: server.context.db };
    const findPicture = createPictures(context);
    const sent = await findPicture(path);
    expect(sent).toMatchObject({ type: 'image/webp', isImmutable: true });
    expect(Buffer.from(sent?.plain ?? []).equals(webp)).toBe(true);
    await importFeed(server.context.db, buildFeed());
    expect(await findPicture(path)).toBe(sent);
    expect(await createPictures(context)(path)).toBeNull();
    for (const other of ['/pictures/', '/pictures/../x.jpg', '/pictures/x.png', '/elsewhere/x.jpg'])
      expect(await findPicture(other)).toBeNull();
  });
});
