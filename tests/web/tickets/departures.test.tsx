import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Departure, Departures } from '#contract/departures/schemas.ts';
import { DESKTOP, PHONE, setScreenWidth } from '#tests/web/screen-width.ts';
import { apiAvailable, markUnavailable } from '#web/platform/connection/connection.ts';
import { openPage, success, TICKETS } from '../platform/page.ts';
import { answerApi, buildCatalogue, buildSailing, currentDraft, refusal, visit } from './visit-tickets.tsx';

const user = userEvent.setup();
const CALL = 'GET /api/ports/PRT_A/departures';
const PATH = '/departures/prt_a';

beforeEach(() => {
  setScreenWidth(PHONE);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.parse('2026-06-05T15:00:00Z') });
  openPage(`${TICKETS}${PATH}`);
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
});
afterEach(() => {
  cleanup();
  apiAvailable.set(true);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

type To = Departure['destinations'][number];

function buildDestination(code: string, over: Partial<To> = {}): To {
  return {
    sailing_id: `slg_${code}`,
    port: { code, name: { prt_b: 'Heron Island', prt_c: 'Fairwater' }[code] ?? code },
    via: [],
    arrives_local: '2026-06-05T09:15:00-07:00',
    arrives_zone_label: 'PDT',
    is_canceled: false,
    can_buy: true,
    availability: 'on_sale',
    availability_text: 'Places available.',
    ...over,
  };
}

function buildDeparture(over: Partial<Departure> = {}): Departure {
  return {
    service_date: '2026-06-05',
    departs_at: '2026-06-05T15:40:00Z',
    departs_local: '2026-06-05T08:40:00-07:00',
    expected_local: '2026-06-05T08:40:00-07:00',
    zone_label: 'PDT',
    status: 'scheduled',
    delay_minutes: 0,
    status_text: '',
    check_in_opens_at: '2026-06-05T15:10:00Z',
    check_in_opens_local: '2026-06-05T08:10:00-07:00',
    check_in_closes_at: '2026-06-05T15:30:00Z',
    check_in_closes_local: '2026-06-05T08:30:00-07:00',
    vessel_name: 'MV Tidewater',
    line_name: 'Islands',
    destinations: [buildDestination('prt_b')],
    ...over,
  };
}

function buildDepartures(over: Partial<Departures> = {}): Departures {
  return {
    port: { id: 'prt_a', code: 'PRT_A', name: 'Port Madrona', time_zone: 'America/Los_Angeles' },
    day: '2026-06-05',
    notices: [],
    departures: [buildDeparture()],
    next: { day: '2026-06-06', departs_local: '2026-06-06T06:10:00-07:00', zone_label: 'PDT' },
    as_of: '2026-06-05T15:00:00Z',
    ...over,
  };
}

async function open(departures: Departures, path = PATH) {
  const api = answerApi({ [CALL]: () => success(departures) });
  await visit(path);
  await screen.findByRole('heading', { name: 'Departures from Port Madrona' });
  return api;
}

const rows = () => screen.queryAllByRole('listitem').map(({ textContent }) => textContent);

describe('the departures of a port', () => {
  test('show time, destination, boat, state and check-in of each boat', async () => {
    await open(
      buildDepartures({
        notices: ['The café is closed.'],
        departures: [
          buildDeparture({
            status: 'check_in_open',
            delay_minutes: 15,
            expected_local: '2026-06-05T08:55:00-07:00',
            status_text: 'Late because of heavy traffic.',
          }),
          buildDeparture({
            departs_local: '2026-06-05T09:40:00-07:00',
            status: 'canceled',
            destinations: [buildDestination('prt_c', { is_canceled: true, can_buy: false })],
          }),
          buildDeparture({
            departs_local: '2026-06-06T00:40:00-07:00',
            destinations: [
              buildDestination('prt_b', {
                sailing_id: 'slg_3',
                availability: 'low',
                availability_text: 'Only 2 places left.',
              }),
            ],
          }),
        ],
      }),
    );
    expect(document.title).toMatch(/^Departures from Port Madrona \| /);
    expect(screen.getByText('The café is closed.')).toBeDefined();
    expect(rows()).toEqual([
      'planned 8:40 AM expected 8:55 AMto Heron Islandarrives 9:15 AM PDT · MV Tidewater15 min lateCheck-in open until 8:30 AMLate because of heavy traffic.',
      '9:40 AMto Fairwaterarrives 9:15 AM PDT · MV TidewaterCanceled',
      'Sat, Jun 612:40 AMto Heron Islandarrives 9:15 AM PDT · MV TidewaterOn timeCheck-in opens 8:10 AMOnly 2 places left.',
    ]);
    expect(screen.getByText(/Last checked \d+:\d\d [AP]M$/)).toBeDefined();
    expect(screen.getByText('The first departure after these: tomorrow at 6:10 AM.')).toBeDefined();
  });

  test('are a table on wide screens, with a link that buys each boat', async () => {
    setScreenWidth(DESKTOP);
    await open(
      buildDepartures({
        departures: [
          buildDeparture(),
          buildDeparture({
            departs_local: '2026-06-05T09:40:00-07:00',
            status: 'canceled',
            status_text: 'Canceled because of the weather.',
            destinations: [buildDestination('prt_c', { is_canceled: true, can_buy: false })],
          }),
        ],
      }),
    );
    const table = within(screen.getByRole('table', { name: 'Next departures' }));
    const [header, late, canceled] = table
      .getAllByRole('row')
      .map((row) => [...row.children].map((cell) => cell.textContent));
    expect(header).toEqual(['Departs', 'To', 'Arrives', 'Vessel', 'State', 'Room', 'Tickets']);
    // Each cell begins with its header, which is hidden where there are columns.
    expect(late?.slice(1, 4)).toEqual(['ToHeron Island', 'Arrives9:15 AM PDT', 'VesselMV Tidewater']);
    expect(late?.slice(5)).toEqual(['RoomPlaces available.', 'TicketsBuy']);
    expect(canceled?.slice(4)).toEqual(['StateCanceledCanceled because of the weather.', 'Room', 'Tickets']);
    expect(table.getByRole('link', { name: /^Buy the .* sailing to Heron Island$/ })).toBeDefined();
  });

  test('fold away what has left, and say when the next boat leaves', async () => {
    await open(buildDepartures({ departures: [buildDeparture({ status: 'departed' })] }));
    expect(screen.getByText('1 boat has left')).toBeDefined();
    expect(screen.getByRole('heading', { name: 'No more sailings today' })).toBeDefined();
    expect(screen.getByText('The first one leaves tomorrow at 6:10 AM.')).toBeDefined();
  });

  test('lead to the purchase with the sailing chosen', async () => {
    const chosen = buildSailing('slg_prt_b');
    const { answers, to } = await open(buildDepartures());
    answers['GET /api/catalogue'] = () => success(buildCatalogue({ ports: upperCodes() }));
    answers['GET /api/sailings'] = () => success([buildSailing('slg_other'), chosen]);
    await user.click(screen.getByRole('link', { name: 'Buy the 8:40 AM sailing to Heron Island' }));
    await screen.findByRole('heading', { name: 'Choose your sailing' });
    expect(to('GET /api/sailings')[0]?.query.get('date')).toBe('2026-06-05');
    expect(currentDraft()).toMatchObject({
      outward: { id: 'slg_prt_b' },
      trip: { from: 'prt_a', to: 'prt_b', outDate: '2026-06-05', tripType: 'one-way' },
    });
  });

  test('offer each port of a boat with several, and one of them if it is asked for', async () => {
    const both = [
      buildDestination('prt_b'),
      buildDestination('prt_c', { via: ['Heron Island'], arrives_local: '2026-06-05T10:00:00-07:00' }),
    ];
    await open(buildDepartures({ departures: [buildDeparture({ destinations: both })] }));
    const row = screen.getByRole('listitem');
    expect(row.textContent).toContain('to Fairwatervia Heron Island · arrives 10:00 AM PDT');
    expect(
      within(row)
        .getAllByRole('link')
        .map(({ textContent }) => textContent),
    ).toEqual(['Heron Island', 'Fairwater']);
    await user.selectOptions(screen.getByLabelText('Going to'), 'Heron Island');
    expect(await screen.findAllByRole('link', { name: /^Buy the/ })).toHaveLength(1);
    expect(screen.getByRole('listitem').textContent).toContain('to Heron Islandarrives 9:15 AM PDT');
  });

  test('tell by the clock what has left when the server cannot be asked', async () => {
    await open(buildDepartures());
    expect(screen.queryByText('1 boat has left')).toBeNull();
    cleanup();
    await open(buildDepartures());
    vi.setSystemTime(Date.parse('2026-06-05T15:41:00Z'));
    markUnavailable('network');
    expect(await screen.findByText('1 boat has left')).toBeDefined();
    expect(screen.getByText('Boats may be late or canceled without being shown here.')).toBeDefined();
  });

  test('are those of the new day after midnight without a connection, fetched in advance', async () => {
    const tomorrow = buildDepartures({
      day: '2026-06-06',
      departures: [buildDeparture({ departs_at: '2026-06-06T15:40:00Z', vessel_name: 'MV Petrel' })],
    });
    const { answers, to } = answerApi();
    answers[CALL] = ({ query }) => success(query.has('date') ? tomorrow : buildDepartures());
    await visit(PATH);
    await screen.findByText(/MV Tidewater/);
    await vi.waitFor(() =>
      expect(to(CALL).map(({ query }) => query.get('date'))).toEqual([null, '2026-06-06']),
    );
    answers[CALL] = () => Promise.reject(new TypeError('Failed to fetch'));
    vi.setSystemTime(Date.parse('2026-06-06T08:00:00Z'));
    markUnavailable('network');
    expect(await screen.findByText(/MV Petrel/)).toBeDefined();
    expect(screen.getByText(/^Sat, June 6, 2026 · Last checked Jun 5/)).toBeDefined();
  });

  test('of an unknown port are not found', async () => {
    answerApi({ [CALL]: () => refusal('not_found', 'Not found.') });
    await visit(PATH);
    expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeDefined();
    expect(screen.getByRole('link', { name: 'Choose a port' }).getAttribute('href')).toBe('/departures');
  });
});

describe('the choice of a port', () => {
  test('lists the ports that boats leave, the recent ones first', async () => {
    localStorage.setItem('recent-ports', '["prt_b"]');
    answerApi();
    await visit('/departures');
    expect(await screen.findByRole('region', { name: 'Recent' })).toBeDefined();
    const all = within(screen.getByRole('region', { name: 'All ports' })).getAllByRole('link');
    expect(all.map((link) => [link.textContent, link.getAttribute('href')])).toEqual([
      ['Heron Island', '/departures/prt_b'],
      ['Port Madrona', '/departures/prt_a'],
    ]);
  });
});

function upperCodes() {
  return buildCatalogue().ports.map((port) => ({ ...port, code: port.id === 'prt_a' ? 'PRT_A' : port.id }));
}
