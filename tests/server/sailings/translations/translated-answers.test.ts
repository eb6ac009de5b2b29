import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildFeed, importFeed, MONDAY, routeIdOf } from '#tests/factories/timetable.ts';
import { openTestServer, type TestReply, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
let routeId: string;
beforeAll(async () => {
  server = await openTestServer({ now: MONDAY });
  await importFeed(
    server.database.db,
    buildFeed({
      'ports.csv': 'stop_id,code,address,address@de\nnorth,NOR,1 Pier Road,Pierstraße 1\nsouth,SOU,,\n',
      'vessels.csv':
        'code,name,passengers,accessibility_notes,accessibility_notes@de\ntern,MV Tern,10,Level boarding.,Ebener Einstieg.\n',
      'passenger_types.csv': 'code,name,name@de\nadult,Adult,Erwachsene\nchild,Child,\n',
      'fare_classes.csv': 'code,name,summary,summary@de\nsaver,Saver,Cheap.,Günstig.\nflex,Flexible,,\n',
      'exceptions.csv': 'date,kind,text,text@de\n2026-06-02,notice,Board at pier 2.,Einstieg an Pier 2.\n',
      'passes.csv': 'code,name,name@de,trips,price\nten,Ten trips,Zehn Fahrten,10,70.00\n',
    }),
  );
  routeId = await routeIdOf(server.database.db, 'NOR-SOU');
});
afterAll(() => server.close());

function get(path: string, language: string): Promise<TestReply> {
  return server.request('GET', path, { headers: { 'accept-language': language } });
}

describe('the operator’s texts in the API', () => {
  it('are in the request’s language where they are translated, else in the operator’s', async () => {
    const { body } = await get('/api/catalogue', 'de');
    expect(body.data.passenger_types.map(({ name }: { name: string }) => name)).toEqual([
      'Erwachsene',
      'Child',
    ]);
    expect(body.data.fare_classes[0].summary).toBe('Günstig.');
    expect(body.data.ports[0].address).toBe('Pierstraße 1');
    expect(body.data.routes[0].name).toBe('North Pier nach South Pier');
    const english = await get('/api/catalogue', 'en');
    expect(english.body.data.passenger_types[0].name).toBe('Adult');
    expect(english.body.data.routes[0].name).toBe('North Pier to South Pier');
  });

  it('are cached once for each language', async () => {
    const german = await get('/api/passenger_types', 'de');
    const english = await get('/api/passenger_types', 'en');
    expect(german.headers.get('vary')).toContain('Accept-Language');
    expect(german.headers.get('etag')).not.toBe(english.headers.get('etag'));
  });

  it('are translated with a sailing', async () => {
    const path = `/api/sailings?route_id=${routeId}&date=2026-06-02`;
    const { body } = await get(path, 'de');
    expect(body.data[0].vessel.accessibility_notes).toBe('Ebener Einstieg.');
    expect(body.data[0].accessibility).toContain('Ebener Einstieg.');
    expect((await get(path, 'fr')).body.data[0].accessibility).toContain('Level boarding.');
  });

  it('are translated with the notices of sailings and ports', async () => {
    const path = `/api/sailings?route_id=${routeId}&date=2026-06-02`;
    expect((await get(path, 'de')).body.data[0].status_text).toBe('Einstieg an Pier 2.');
    expect((await get(path, 'nb')).body.data[0].status_text).toBe('Board at pier 2.');
    const departures = '/api/ports/NOR/departures?date=2026-06-02';
    expect((await get(departures, 'de')).body.data.notices).toEqual(['Einstieg an Pier 2.']);
    expect((await get(departures, 'en')).body.data.notices).toEqual(['Board at pier 2.']);
  });

  it('are translated with the passes on sale', async () => {
    const { body } = await get('/api/passes', 'de');
    expect(body.data[0].name).toBe('Zehn Fahrten');
    expect(body.data[0]).not.toHaveProperty('translations');
  });
});
