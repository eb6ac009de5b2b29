import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { api } from '#contract/api.ts';
import { fillPath } from '#contract/paths.ts';
import { MAX_SAVED } from '#contract/saved-party/schemas.ts';
import { savedTravelers, savedVehicles } from '#server/database/schema/saved-party.ts';
import { codeOf, must } from '#tests/factories/buyer.ts';
import { createCustomer, startSession } from '#tests/factories/customers.ts';
import { openTestServer, type TestReply, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await openTestServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  token = await signIn();
});

let customers = 0;
async function signIn() {
  customers += 1;
  const { id } = await createCustomer(server.context, { email: `saver${customers}@example.com` });
  return startSession(server.context, id);
}

const refusalOf = (reply: TestReply) => [reply.status, codeOf(reply)];
const CAR = { vehicle: { type: 'car', length_cm: 480 }, plate: '5kjh  220' };
const list = async (by = token) =>
  must(await server.request('GET', api.getSavedParty.path, { token: by })) as {
    vehicles: { id: string; name: string; plate: string }[];
    travelers: { id: string; name: string; type: string }[];
  };
const save = (call: 'saveVehicle' | 'saveTraveler', body: object, by = token) =>
  server.request('POST', api[call].path, { token: by, body });

describe.each([
  {
    kind: 'vehicle',
    calls: ['saveVehicle', 'renameVehicle', 'removeVehicle'] as const,
    body: CAR as object,
    saved: { name: '', vehicle: CAR.vehicle, plate: '5KJH 220' } as object,
    another: (index: number): object => ({ ...CAR, plate: `CAR ${index}` }),
    bad: [
      {},
      { ...CAR, vehicle: { type: 'car', length_cm: 99_999 } },
      { ...CAR, plate: '…' },
      { ...CAR, id: 'x' },
    ],
    list: 'vehicles' as const,
  },
  {
    kind: 'traveler',
    calls: ['saveTraveler', 'renameTraveler', 'removeTraveler'] as const,
    body: { name: ' Ben ', type: 'child' },
    saved: { name: 'Ben', type: 'child' },
    another: (index: number): object => ({ name: `Traveler ${index}`, type: 'adult' }),
    bad: [
      {},
      { name: '', type: 'child' },
      { name: 'Ben' },
      { name: 'Ben', type: 'child', needs: ['wheelchair'] },
    ],
    list: 'travelers' as const,
  },
])(
  'a saved $kind',
  ({ calls: [saveCall, renameCall, removeCall], body, saved, another, bad, list: part }) => {
    const idOf = async () => must(await save(saveCall, body)).id as string;

    test('needs a session', async () => {
      for (const [method, path] of [
        ['GET', api.getSavedParty.path],
        ['POST', api[saveCall].path],
        ['PATCH', fillPath(api[renameCall].path, { id: 'sve_00000000000000000000000000' })],
        ['DELETE', fillPath(api[removeCall].path, { id: 'sve_00000000000000000000000000' })],
      ] as const) {
        const reply = await server.request(method, path, method === 'GET' ? {} : { body });
        expect([method, ...refusalOf(reply)]).toEqual([method, 401, 'unauthenticated']);
      }
    });

    test('is kept in the account, once', async () => {
      const reply = await save(saveCall, body);
      expect(reply.status).toBe(201);
      const again = must(await save(saveCall, body));
      expect(must(reply)).toEqual({ id: again.id, ...saved });
      expect((await list())[part]).toEqual([again]);
    });

    test('is refused with other fields and with values that no purchase takes', async () => {
      for (const wrong of bad) expect((await save(saveCall, wrong)).status, JSON.stringify(wrong)).toBe(422);
      expect((await list())[part]).toEqual([]);
    });

    test('is renamed and deleted by its owner only', async () => {
      const id = await idOf();
      const other = await signIn();
      const rename = (by: string, name: string) =>
        server.request('PATCH', fillPath(api[renameCall].path, { id }), { token: by, body: { name } });
      const remove = (by: string) =>
        server.request('DELETE', fillPath(api[removeCall].path, { id }), { token: by, body: {} });
      expect(refusalOf(await rename(other, 'Mine'))).toEqual([404, 'not_found']);
      expect(refusalOf(await remove(other))).toEqual([404, 'not_found']);
      expect(must(await rename(token, 'New name')).name).toBe('New name');
      expect(must(await remove(token))).toEqual({ id });
      expect(refusalOf(await remove(token))).toEqual([404, 'not_found']);
      expect((await list())[part]).toEqual([]);
    });

    test('is refused beyond the limit of an account, also at the same time', async () => {
      for (let index = 1; index < MAX_SAVED; index += 1) must(await save(saveCall, another(index)));
      const replies = await Promise.all([20, 21, 22].map((index) => save(saveCall, another(index))));
      expect(replies.map(({ status }) => status).toSorted()).toEqual([201, 422, 422]);
      expect(replies.flatMap((reply) => (reply.status === 422 ? [codeOf(reply)] : []))).toEqual([
        'too_many_saved',
        'too_many_saved',
      ]);
      expect((await list())[part]).toHaveLength(MAX_SAVED);
    });

    test('is deleted with the account', async () => {
      const id = await idOf();
      must(await server.request('DELETE', api.deleteCustomer.path, { token }));
      const table = { vehicles: savedVehicles, travelers: savedTravelers }[part];
      expect(await server.context.db.$count(table, eq(table.id, id))).toBe(0);
    });
  },
);
