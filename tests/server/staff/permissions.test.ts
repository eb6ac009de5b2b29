import { afterAll, beforeAll, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { calls } from '#contract/api.ts';
import { describeCalls, staffEndpoint } from '#contract/endpoint.ts';
import { hasPermission, PERMISSIONS, STAFF_ROLES } from '#contract/staff/permissions.ts';
import { handleCalls } from '#server/http/handle-calls.ts';
import { createMiddleware } from '#server/http/middleware.ts';
import { findStaffSession } from '#server/staff/sessions.ts';
import { createCustomer, startSession } from '#tests/factories/customers.ts';
import { createStaffMember, startStaffSession } from '#tests/factories/staff.ts';
import { openTestServer, type TestServer } from '#tests/setup/server.ts';

let server: TestServer;
let customerToken: string;
beforeAll(async () => {
  server = await openTestServer();
  for (const permission of PERMISSIONS) addProbe(permission);
  const customer = await createCustomer(server.context);
  customerToken = await startSession(server.context, customer.id);
});
afterAll(() => server.close());

type TriedCall = { method: string; path: string; permission: (typeof PERMISSIONS)[number] };

/** Real calls, and a call for each permission, so that those without a call yet are tried too. */
const tried: TriedCall[] = [
  ...calls.flatMap((call) => (call.auth === 'staff' ? [call] : [])),
  ...PERMISSIONS.map((permission) => ({ method: 'GET', path: probePath(permission), permission })),
];

const fill = (path: string) => path.replace(/\{\w+\}/g, 'stf_00000000000000000000000000');

test.each(tried)('$method $path is for the roles with its permission only', async (call) => {
  for (const role of STAFF_ROLES) {
    const member = await createStaffMember(server.context, role);
    const { headers } = await startStaffSession(server.context, member.id);
    const reply = await server.request(call.method, fill(call.path), { headers });
    const isRefused = reply.status === 403 && reply.body.errors[0].code === 'not_permitted';
    expect([role, isRefused]).toEqual([role, !hasPermission(role, call.permission)]);
    expect(reply.status).not.toBe(401);
  }
});

test.each(tried)('$method $path is refused for the signed out and for customers', async (call) => {
  for (const options of [{}, { token: customerToken }]) {
    expect((await server.request(call.method, fill(call.path), options)).status).toBe(401);
  }
});

test('a changed role counts from the next request on', async () => {
  const member = await createStaffMember(server.context, 'manager');
  const { headers } = await startStaffSession(server.context, member.id);
  const read = () => server.request('GET', probePath('manage_staff'), { headers });
  expect((await read()).status).toBe(200);
  await server.database.store.query(`update staff_members set role = 'gate' where id = '${member.id}'`);
  expect((await read()).status).toBe(403);
});

test('no role both sells and checks tickets, except the manager', () => {
  const both = STAFF_ROLES.filter(
    (role) => hasPermission(role, 'sell_tickets') && hasPermission(role, 'scan_tickets'),
  );
  expect(both).toEqual(['manager']);
});

function probePath(permission: string): `/${string}` {
  return `/api/staff/probes/${permission}`;
}

/** Adds a call that needs the permission and does nothing. */
function addProbe(permission: TriedCall['permission']): void {
  const { app, context } = server;
  const endpoints = { probe: staffEndpoint('GET', probePath(permission), permission) };
  handleCalls(
    app,
    {
      ...context,
      findSessions: {
        customer: async () => null,
        staff: (credentials) => findStaffSession(context, credentials),
      },
      middleware: createMiddleware(context),
    },
    {
      calls: describeCalls(endpoints, { probe: { summary: 'Needs a permission', response: z.null() } }),
      handlers: { probe: () => undefined },
    },
  );
}
