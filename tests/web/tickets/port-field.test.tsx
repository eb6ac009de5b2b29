import { cleanup, fireEvent, render, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { camelCased } from '#web/platform/api/case-conversion.ts';
import { PortField } from '#web/tickets/trip/port-field.tsx';
import { openPage, TICKETS } from '../platform/page.ts';
import { buildCatalogue } from './visit-tickets.tsx';

beforeEach(() => {
  openPage(`${TICKETS}/orders/new`);
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const [sample] = camelCased(buildCatalogue()).ports;
if (!sample) throw new Error('There is no port.');
const NAMES = ['Alder', 'Birch', 'Cedar', 'Dogwood', 'Elm', 'Fir', 'Ginkgo', 'Hazel', 'Ironwood', 'Juniper'];
const ports = NAMES.map((name, index) => ({
  ...sample,
  ...{ id: `prt_${name}`, name, code: name.slice(0, 3).toUpperCase(), lat: 48 + index, lon: 0 },
}));
const transferPorts = new Map([
  ['prt_Alder', 'Cedar'],
  ['prt_Birch', 'Cedar'],
]);

function show(count: number) {
  const onChange = vi.fn();
  render(
    <PortField
      label="To"
      ports={ports.slice(0, count)}
      transferPorts={transferPorts}
      value="prt_Cedar"
      onChange={onChange}
    />,
  );
  return onChange;
}

describe('a field with few ports', () => {
  test('is a native select with direct destinations first, then those with a change', () => {
    show(4);
    const select = screen.getByRole('combobox', { name: 'To' });
    expect(select.tagName).toBe('SELECT');
    expect(
      within(select)
        .getAllByRole('option')
        .map(({ textContent }) => textContent),
    ).toEqual(['Cedar', 'Dogwood', 'Alder', 'Birch']);
    const group = within(select).getByRole('group', { name: 'With a change at Cedar' });
    expect(within(group).getAllByRole('option')).toHaveLength(2);
  });
});

describe('a field with many ports', () => {
  const open = async () => {
    await userEvent.click(screen.getByRole('button', { name: 'To: Cedar' }));
    return screen.findByRole('combobox', { name: 'Search by name or code' });
  };
  const activeName = () => {
    const id = screen.getByRole('combobox').getAttribute('aria-activedescendant') ?? '';
    return document.getElementById(id)?.textContent;
  };

  test('opens a list with the search focused, grouped by the port of the change', async () => {
    show(10);
    expect(await open()).toBe(document.activeElement);
    const titles = screen.getAllByRole('group').map((group) => group.querySelector('p')?.textContent);
    expect(titles).toEqual(['Direct', 'With a change at Cedar']);
    expect(screen.getByRole('option', { selected: true }).textContent).toBe('Cedar');
  });

  test('is used with the arrow and page keys, around both ends', async () => {
    const onChange = show(10);
    await open();
    await userEvent.keyboard('{ArrowUp}');
    expect(activeName()).toBe('Birch');
    await userEvent.keyboard('{ArrowDown}{ArrowDown}');
    expect(activeName()).toBe('Dogwood');
    await userEvent.keyboard('{PageDown}');
    expect(activeName()).toBe('Birch');
    await userEvent.keyboard('{PageUp}{Enter}');
    expect(onChange).toHaveBeenCalledExactlyOnceWith('prt_Dogwood');
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  test('starts a search with a letter typed on the closed field', async () => {
    const onChange = show(10);
    fireEvent.keyDown(screen.getByRole('button', { name: 'To: Cedar' }), { key: 'h' });
    expect(await screen.findByRole('combobox')).toHaveProperty('value', 'h');
    await userEvent.keyboard('az{Enter}');
    expect(onChange).toHaveBeenCalledExactlyOnceWith('prt_Hazel');
  });

  test.each([
    { code: 1, message: /^Your browser does not say where you are/ },
    { code: 3, message: /^Your location was not found/ },
  ])('never asks for the location by itself, and explains error $code', async ({ code, message }) => {
    const getCurrentPosition = vi.fn((_: PositionCallback, fail: PositionErrorCallback) =>
      fail({ code, PERMISSION_DENIED: 1, POSITION_UNAVAILABLE: 2, TIMEOUT: 3, message: '' }),
    );
    vi.spyOn(navigator, 'geolocation', 'get').mockReturnValue({
      ...{ getCurrentPosition, watchPosition: vi.fn(), clearWatch: vi.fn() },
    });
    show(10);
    await open();
    expect(getCurrentPosition).not.toHaveBeenCalled();
    await userEvent.click(screen.getByRole('button', { name: 'Ports near me' }));
    expect(screen.getByText(message)).toBeTruthy();
    expect(screen.getAllByRole('option')).toHaveLength(10);
  });
});
