import { QueryClientProvider } from '@tanstack/react-query';
import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { RouterProvider } from 'react-router/dom';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { GateEvent } from '#contract/gate/schemas.ts';
import type { StaffRole } from '#contract/staff/permissions.ts';
import { buildGatePack, buildGateParty, buildGateSailing, buildGateTicket } from '#tests/factories/gate.ts';
import { createQueryClient } from '#web/platform/query/query-client.ts';
import { GateScreen } from '#web/staff/gate/gate-screen.tsx';
import { answerFetches, json, openPage, STAFF, success } from '../../platform/page.ts';
import { createTestRouter } from '../../test-router.ts';

const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
const boat = buildGateSailing({ departs_at: at(30), destination: 'Heron Island' });
const car = buildGateTicket({ code: 'K7M4 QXP8', kind: 'vehicle', title: 'Car' });
const pack = buildGatePack({
  ...{ as_of: at(0), sailings: [boat] },
  parties: [
    buildGateParty(boat.id, {
      vehicle: { plate: '5KJH 220', length_cm: 450, height_cm: null },
      tickets: [car],
    }),
  ],
});

const user = userEvent.setup();
let role: StaffRole;
let quote: object;
let sent: GateEvent[];
let quoted: unknown[];
let recorded: unknown[];
let isDown: boolean;

const catalogue = {
  ...{ ports: [], routes: [], fare_classes: [], passenger_types: [], currency: 'USD', max_party: 12 },
  vehicle_types: [
    { id: 'vty_1', code: 'van', name: 'Van', length_required: true, height_required: true },
    { id: 'vty_2', code: 'truck', name: 'Truck', length_required: true, height_required: false },
  ],
};

beforeEach(() => {
  openPage(`${STAFF}/gate`);
  // happy-dom has none.
  Element.prototype.scrollTo = () => undefined;
  localStorage.setItem('staff-signed-in', 'true');
  localStorage.setItem('gate-device', JSON.stringify({ port: 'NOR', name: 'Ramp 1' }));
  role = 'gate';
  quote = {
    booked_length_cm: 450,
    booked_height_cm: null,
    is_larger: true,
    difference: 500,
    currency: 'USD',
  };
  sent = [];
  quoted = [];
  recorded = [];
  isDown = false;
  answerFetches(({ url, init }) => {
    const { pathname } = new URL(url, STAFF);
    const body = () => JSON.parse(String(init.body));
    if (isDown) throw new TypeError('Failed to fetch');
    if (pathname === '/api/catalogue') return success(catalogue);
    if (pathname === '/api/staff/session') {
      const staff = { id: 'stf_1', name: 'Grace Hopper', email: 'grace@ferry.example', role };
      return success({ staff, expires_at: at(600) });
    }
    if (pathname.endsWith('/pack')) return success(pack);
    if (pathname.endsWith('/events')) {
      sent.push(...body().events);
      return success({ twice: [], unknown: [], as_of: new Date().toISOString() });
    }
    if (pathname.endsWith('/quote')) {
      quoted.push(body());
      return success(quote);
    }
    if (pathname.endsWith('/measurements')) {
      recorded.push(body());
      return success({ outcome: 'charged', difference: 500, currency: 'USD' });
    }
    return json({ success: true, data: null, errors: [] });
  });
});
afterEach(cleanup);

async function scanCar() {
  const router = createTestRouter([{ path: '*', Component: GateScreen }], ['/gate']);
  render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  await screen.findByRole('heading', { level: 1, name: /Heron Island/ });
  await user.type(screen.getByLabelText('Letters below the code'), 'k7m4qxp8{Enter}');
  return within(await screen.findByRole('dialog'));
}

async function measure(length: string) {
  const answer = await scanCar();
  await user.click(answer.getByRole('button', { name: 'Measure the vehicle' }));
  await user.type(answer.getByLabelText('Measured length'), length);
  await user.click(answer.getByRole('button', { name: 'Compare with the booking' }));
  return answer;
}

describe('a vehicle that is measured', () => {
  test('pays the difference at the terminal, with the reference of the receipt', async () => {
    const answer = await measure('7');
    expect(await answer.findByText('Larger than booked. The difference is $5.00.')).toBeDefined();
    await user.click(answer.getByLabelText('Card terminal'));
    await user.click(answer.getByRole('button', { name: '$5.00 taken: let aboard' }));
    expect(answer.getByText('Enter it to go on.')).toBeDefined();
    await user.type(answer.getByLabelText('Number on the receipt'), 'R 42');
    await user.click(answer.getByRole('button', { name: '$5.00 taken: let aboard' }));
    await answer.findByRole('button', { name: 'Measure the vehicle' });
    expect(recorded).toEqual([
      {
        ...{ length_cm: expect.any(Number), height_cm: null, device: 'Ramp 1', decision: 'aboard' },
        ...{ difference: 500, payment: { method: 'terminal', reference: 'R 42' } },
      },
    ]);
    expect(quoted).toHaveLength(1);
  });

  test('leaves the boat again when it is refused', async () => {
    const answer = await measure('7');
    await user.click(await answer.findByRole('button', { name: 'Refuse the vehicle' }));
    expect(await screen.findByRole('heading', { name: 'Taken back' })).toBeDefined();
    await waitFor(() => expect(sent.map(({ type }) => type)).toEqual(['board', 'undo']));
    expect(recorded).toMatchObject([{ decision: 'refused', payment: null }]);
  });

  test('goes aboard without a payment if it is not larger than booked', async () => {
    quote = { ...quote, is_larger: false, difference: 0 };
    const answer = await measure('4.5');
    expect(await answer.findByText('Not larger than booked.')).toBeDefined();
    expect(answer.queryByText('How do they pay?')).toBeNull();
    await user.click(answer.getByRole('button', { name: 'Let aboard' }));
    await answer.findByRole('button', { name: 'Measure the vehicle' });
    expect(recorded).toMatchObject([{ decision: 'aboard', difference: 0, payment: null }]);
  });

  test('is typed as on the web, also in feet and inches', async () => {
    const answer = await measure('18 ft 6 in');
    await answer.findByText('Larger than booked. The difference is $5.00.');
    expect(quoted).toMatchObject([{ length_cm: 564 }]);
  });

  test('is priced as another vehicle, of which the height may be needed too', async () => {
    const answer = await scanCar();
    await user.click(answer.getByRole('button', { name: 'Measure the vehicle' }));
    await user.selectOptions(await answer.findByLabelText('Vehicle'), 'van');
    await user.type(answer.getByLabelText('Measured length'), '6');
    await user.click(answer.getByRole('button', { name: 'Compare with the booking' }));
    expect(answer.getByText('Enter a length.')).toBeDefined();
    await user.type(answer.getByLabelText('Measured height'), '2.5');
    await user.click(answer.getByRole('button', { name: 'Compare with the booking' }));
    await answer.findByText('Not the vehicle that was booked. The difference is $5.00.');
    expect(quoted).toMatchObject([{ vehicle_type: 'van', height_cm: expect.any(Number) }]);
  });

  test('is noted without a connection, and stays aboard', async () => {
    const answer = await scanCar();
    await waitFor(() => expect(sent).toHaveLength(1));
    await user.click(answer.getByRole('button', { name: 'Measure the vehicle' }));
    await user.selectOptions(await answer.findByLabelText('Vehicle'), 'truck');
    isDown = true;
    await user.type(answer.getByLabelText('Measured length'), '7 m');
    await user.click(answer.getByRole('button', { name: 'Compare with the booking' }));
    await user.click(await answer.findByRole('button', { name: 'Note it and let aboard' }));
    expect(await screen.findByText('The size is noted. The desk takes the difference.')).toBeDefined();
    expect(await screen.findByText(/not sent yet/)).toBeDefined();
  });

  test('needs a length', async () => {
    const answer = await measure('long');
    expect(answer.getByText('Enter a length.')).toBeDefined();
    expect(quoted).toEqual([]);
  });
});
