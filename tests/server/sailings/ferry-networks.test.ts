import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Catalogue } from '#contract/catalogue/schemas.ts';
import type { Sailing } from '#contract/sailings/schemas.ts';
import { addDays } from '#domain/time/days.ts';
import { contact, termsVersion } from '#tests/factories/buyer.ts';
import { buildNetworkFeed, FERRY_NETWORKS } from '#tests/factories/ferry-networks.ts';
import { importFeed } from '#tests/factories/timetable.ts';
import { newNetworkAddress } from '#tests/process/http-client.ts';
import { listDepartures } from '#tests/setup/independent-timetable.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

const DAYS = 3;

describe.each(FERRY_NETWORKS)('a timetable like that of $name', (network) => {
  const days = Array.from({ length: DAYS + 1 }, (_, index) => addDays(network.now.slice(0, 10), index));
  let server: TestServer;
  let catalogue: Catalogue;
  /** Each departure as the independent reader finds it, and each pair of ports. */
  let departures: Set<string>;
  let pairs: string[];
  beforeAll(async () => {
    server = await openTestServer({ now: network.now });
    const files = buildNetworkFeed(network);
    const folder = mkdtempSync(join(tmpdir(), 'gangway-network-'));
    for (const [name, content] of files) writeFileSync(join(folder, name), content);
    const offered = listDepartures(folder, days);
    rmSync(folder, { recursive: true });
    departures = new Set(offered);
    pairs = [...new Set(offered.map((departure) => departure.split(/ \d{4}-/)[0] ?? ''))];
    await importFeed(server.context.db, files, { now: network.now, days: DAYS });
    catalogue = await get('/api/catalogue');
  });
  afterAll(() => server.close());

  async function get<Data>(path: string): Promise<Data> {
    const { status, body } = await server.request('GET', path);
    if (status !== 200) throw new Error(`${path}: ${status}`);
    return body.data;
  }

  /** Each caller comes from another network, because purchases are limited per network. */
  async function post(path: string, body: object) {
    const from = newNetworkAddress();
    const reply = await server.request('POST', path, { body, from, idempotencyKey: randomUUID() });
    if (reply.status >= 300) throw new Error(`${path}: ${JSON.stringify(reply.body)}`);
    return reply.body.data;
  }

  /** The first sailing of a route that is on sale. */
  async function findSailing(routeId: string): Promise<Sailing | null> {
    for (const day of days) {
      const path = `/api/sailings?route_id=${routeId}&date=${day}&passengers[adult]=2`;
      const sailing = (await get<Sailing[]>(path)).find(
        ({ availability }) => availability.state === 'on_sale',
      );
      if (sailing) return sailing;
    }
    return null;
  }

  it('offers every pair of ports that the feed allows, and no other', () => {
    const names = new Map(catalogue.ports.map(({ id, name }) => [id, name]));
    const offered = catalogue.routes.map(
      ({ origin_port_id, destination_port_id }) =>
        `${names.get(origin_port_id)} ${names.get(destination_port_id)}`,
    );
    expect(offered.toSorted()).toEqual(pairs.toSorted());
    expect(offered).toHaveLength(network.pairs);
  });

  it('sells every pair of ports, at a departure of the feed', async () => {
    const sold: string[] = [];
    for (const { id } of catalogue.routes) {
      const sailing = await findSailing(id);
      if (!sailing) continue;
      const quote = await post('/api/quotes', {
        legs: [{ sailing_id: sailing.id }],
        passengers: [{ type: 'adult', count: 2 }],
        fare_class: 'saver',
      });
      const hold = await post('/api/holds', { quote_id: quote.id });
      const order = await post('/api/orders', {
        hold_id: hold.id,
        quote_id: quote.id,
        contact,
        terms_version: termsVersion,
      });
      const [{ origin, destination }] = order.legs;
      const departure = `${sailing.service_date} ${new Date(sailing.departs_at).toISOString()}`;
      expect(departures).toContain(`${origin.name} ${destination.name} ${departure}`);
      sold.push(`${origin.name} ${destination.name}`);
    }
    expect(sold.toSorted()).toEqual(pairs.toSorted());
  });
});
