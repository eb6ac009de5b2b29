import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { api, calls } from '#contract/api.ts';
import type { Call } from '#contract/endpoint.ts';
import { openApiDocument } from '#server/http/openapi.ts';
import { createCustomer, startSession } from '#tests/factories/customers.ts';
import { damagedJson, fittingJson, hostileJson } from '#tests/setup/json-arbitrary.ts';
import { openTestServer, type TestReply, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
let token: string;
beforeAll(async () => {
  server = await openTestServer();
  token = await startSession(server.context, (await createCustomer(server.context)).id);
});
afterAll(() => server.close());

test('The app mounts exactly the calls of the contract', () => {
  const mounted = server.app.routes
    .filter(({ method }) => method !== 'ALL')
    .map(({ method, path }) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`);
  const described = calls.map(({ method, path }) => `${method} ${path}`);
  expect([...new Set(mounted)].toSorted()).toEqual(described.toSorted());
});

test('The API serves its own description', async () => {
  const reply = await server.request('GET', api.getOpenApi.path);
  expect(reply.status).toBe(200);
  expect(reply.body).toEqual(openApiDocument());
});

const withBody = calls.filter(({ body }) => body !== undefined);
const withQuery = calls.filter(({ query, list }) => query !== undefined || list !== undefined);
const withId = calls.filter(({ path }) => path.includes('{'));

test.each(withBody)('$method $path does not fail with any body', async (endpoint) => {
  const schema = bodySchema(endpoint);
  const bodies = fc.oneof(
    { weight: 2, arbitrary: damagedJson(schema) },
    { weight: 1, arbitrary: fittingJson(schema) },
    { weight: 1, arbitrary: hostileJson() },
  );
  await fc.assert(
    fc.asyncProperty(bodies, fc.uuid(), async (body, idempotencyKey) => {
      const path = fill(endpoint.path, 'ord_00000000000000000000000000');
      const options = { body: JSON.stringify(body) ?? 'null', token, idempotencyKey, from: '192.0.2.1' };
      expectAnswer(endpoint, await server.request(endpoint.method, path, options));
    }),
    { numRuns: 40, seed: 7 },
  );
});

test.each(withQuery)('$method $path does not fail with any query', async (endpoint) => {
  const names = ['page', 'passengers[adult]', 'passengers[__proto__]', ...queryNames(endpoint)];
  const pairs = fc.array(fc.tuple(fc.constantFrom(...names), hostileJson().map(asText)), { maxLength: 6 });
  await fc.assert(
    fc.asyncProperty(pairs, async (query) => {
      const search = new URLSearchParams(query.map(([name, value]) => [name, value.slice(0, 300)]));
      const path = fill(endpoint.path, 'rte_00000000000000000000000000');
      expectAnswer(endpoint, await server.request(endpoint.method, `${path}?${search}`, { token }));
    }),
    { numRuns: 40, seed: 7 },
  );
});

const strangeIds = [
  'abc',
  '1;drop table orders',
  '99999999999999999999',
  '%E0%A4%A',
  '..%2f..%2fx',
  '%00',
  'ord_%00',
  '__proto__',
  'ORD_00000000000000000000000000',
  'ord_00000000000000000000000000',
  'x'.repeat(2000),
];

test.each(withId)('$method $path answers 404 for any invalid id', async (endpoint) => {
  for (const id of strangeIds) {
    const body = endpoint.method === 'GET' || endpoint.method === 'DELETE' ? {} : { body: {} };
    const reply = await server.request(endpoint.method, fill(endpoint.path, id), {
      ...body,
      token,
      idempotencyKey: crypto.randomUUID(),
    });
    expectAnswer(endpoint, reply);
    expect(reply.status, id).toBeGreaterThanOrEqual(400);
  }
});

test.each(calls.filter(({ auth }) => auth === 'session' || auth === 'staff'))(
  '$method $path checks the session before anything else',
  async ({ method, path }) => {
    const options = method === 'GET' || method === 'DELETE' ? {} : { body: { unknown: 1 } };
    const reply = await server.request(method, fill(path, 'abc'), options);
    expect(reply.status).toBe(401);
    expect(reply.body.errors[0].code).toBe('unauthenticated');
  },
);

/** The response is not a server error, and has the envelope. */
function expectAnswer({ response }: Pick<Call, 'response'>, reply: TestReply): void {
  expect(reply.status).toBeLessThan(500);
  if (reply.status === 200 && 'mediaType' in response) return;
  expect(reply.body.status_code).toBe(reply.status);
  if (reply.body.success) {
    expect(reply.body).toMatchObject({ success: true, errors: [] });
    return;
  }
  expect(reply.body).toMatchObject({ success: false, data: null });
  expect(reply.body.errors[0].code).toBeTypeOf('string');
  expect(reply.body.error).toBeTypeOf('string');
}

/** Formats a value for a query string. */
function asText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

function fill(path: string, id: string): string {
  return path.replace(/\{\w+\}/g, id);
}

type Described = {
  parameters: { name: string; in: string }[];
  requestBody?: { content: Record<string, { schema: Record<string, unknown> }> };
};

function operationOf({ method, path }: Pick<Call, 'method' | 'path'>): Described {
  const paths = openApiDocument().paths as Record<string, Record<string, Described>>;
  const operation = paths[path]?.[method.toLowerCase()];
  if (!operation) throw new Error(`${method} ${path} is not described.`);
  return operation;
}

function bodySchema(endpoint: Pick<Call, 'method' | 'path'>): Record<string, unknown> {
  return operationOf(endpoint).requestBody?.content['application/json']?.schema ?? {};
}

function queryNames(endpoint: Call): string[] {
  const filterNames = ['field', 'op', 'value', 'value][']
    .flatMap((part) => [0, 1].map((index) => `filters[${index}][${part}]`))
    .filter(() => endpoint.list !== undefined);
  const names = operationOf(endpoint).parameters.filter((each) => each.in === 'query');
  return [...names.map(({ name }) => name), ...filterNames];
}
