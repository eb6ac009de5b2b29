import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { SailingRow } from '#web/features/sailing/sailing-row.tsx';
import { camelCased } from '#web/platform/api/case-conversion.ts';
import { buildSailing } from '../tickets/visit-tickets.tsx';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

type Over = Parameters<typeof buildSailing>[1];

function show(over: Over = {}) {
  const onChoose = vi.fn();
  render(
    <ul>
      <SailingRow
        sailing={camelCased(buildSailing('sai_1', over))}
        onChoose={onChoose}
        phone="+1 206 555 0142"
      />
    </ul>,
  );
  return onChoose;
}

const availability = (over: object) => ({
  availability: { ...buildSailing('sai_1').availability, ...over },
});

test('a sailing with free places shows its price and can be chosen', () => {
  const onChoose = show();
  expect(screen.getByText('$18.50')).toBeDefined();
  fireEvent.click(screen.getByRole('button', { name: 'Choose the 8:40 AM sailing' }));
  expect(onChoose).toHaveBeenCalledOnce();
});

test('a sailing shows how full it is, in words and as a bar', () => {
  show(availability({ fullness_percent: 20 }));
  expect(screen.getByText('Places available.').closest('[data-tone="success"]')).not.toBeNull();
  cleanup();
  show(availability({ state: 'low', fullness_percent: 92, text: 'Only 4 places left.' }));
  const text = screen.getByText('Only 4 places left.');
  expect(text.closest('[data-tone="warning"]')).not.toBeNull();
});

test('a reason equal to the text of the sailing’s state is shown once', () => {
  const text = 'Canceled because of high wind.';
  show({ status_text: text, ...availability({ state: 'canceled', fits: false, text }) });
  expect(screen.getAllByText(text)).toHaveLength(1);
});

test('the stops in between are named with the duration', () => {
  const stop = (name: string) => ({
    ...{ port_id: `prt_${name}`, name },
    ...{ arrives_local: '2026-06-05T08:50:00-07:00', departs_local: '2026-06-05T08:55:00-07:00' },
  });
  show({ stops_between: [stop('Orcas'), stop('Shaw')] });
  expect(screen.getByRole('listitem').textContent).toContain('35 min · via Orcas, Shaw · ');
});

test('the zone is shown if the port’s clock is not the device’s, and at both times if the zones differ', () => {
  const text = () => screen.getByRole('listitem').textContent;
  show();
  expect(text()).toMatch(/^8:40 AM arrives → 9:15 AM PDT/);
  cleanup();
  vi.spyOn(Date.prototype, 'getTimezoneOffset').mockReturnValue(7 * 60);
  show();
  expect(text()).toMatch(/^8:40 AM arrives → 9:15 AM · /);
  cleanup();
  show({ arrives_zone_label: 'MDT' });
  expect(text()).toMatch(/^8:40 AM PDT arrives → 9:15 AM MDT/);
});

test('a late sailing strikes the times of the timetable and names the new ones', () => {
  show({ delay_minutes: 25 });
  expect(screen.getByRole('listitem').textContent).toMatch(
    /^planned 8:40 AM expected 9:05 AM arrives → planned 9:15 AM expected 9:40 AM PDT/,
  );
  expect(screen.getByText('8:40 AM').tagName).toBe('S');
  expect(screen.getByRole('button', { name: 'Choose the 9:05 AM sailing' })).toBeDefined();
});

test.each([
  ['full', { state: 'full', fits: false, text: 'Full' }],
  ['closed online', { state: 'closed_online', fits: true, text: 'Ask at the booth' }],
  ['canceled', { state: 'canceled', fits: false, text: 'Canceled' }],
  ['not known', { state: 'unknown', fits: true, text: 'We do not know' }],
  ['too small for the party', { state: 'on_sale', fits: false, text: 'Places available' }],
])('a sailing that is %s has no button to choose it', (_, over) => {
  show(availability(over));
  expect(screen.queryByRole('button', { name: /Choose/ })).toBeNull();
  expect(screen.getAllByText(over.text).length).toBeGreaterThan(0);
});

test('a sailing closed online is not called full and names the booth’s phone', () => {
  show(availability({ state: 'closed_online', text: 'Online sales have closed.' }));
  expect(screen.getByText('Online sales closed')).toBeDefined();
  expect(screen.queryByText('Full')).toBeNull();
  const link = screen.getByRole('link', { name: '+1 206 555 0142' });
  expect(link.getAttribute('href')).toBe('tel:+12065550142');
});

test.each([
  ['canceled', 'Canceled', /does not run/],
  ['closed_online', 'Online sales closed', /sales have ended, or the places sold online are gone/],
  ['full', 'Full', /All places are taken/],
  ['unknown', 'Space not known', /see how many places are left right now/],
  ['on_sale', 'No room for your party', /counted separately/],
])(
  'a sailing that is %s explains itself by a press on "%s" until Escape is pressed',
  async (state, label, meaning) => {
    show(availability({ state, fits: false, text: '' }));
    const badge = await screen.findByRole('button', { name: `${label} (what does this mean?)` });
    expect(badge.getAttribute('aria-expanded')).toBe('false');
    fireEvent.click(badge);
    expect(screen.getByText(meaning)).toBeDefined();
    expect(badge.getAttribute('aria-expanded')).toBe('true');
    fireEvent.keyDown(document, { key: 'Escape' });
    expect(badge.getAttribute('aria-expanded')).toBe('false');
  },
);

test('a sailing after midnight shows no day of its own in the list of the day on which it departs', () => {
  show({ service_date: '2026-06-05', departs_local: '2026-06-06T00:20:00-07:00' });
  expect(screen.queryByText('Sat, Jun 6')).toBeNull();
});

test('a sailing that has left shows no ticket booth', () => {
  show({ status: 'departed', ...availability({ state: 'closed_online', text: 'This sailing has left.' }) });
  expect(screen.getByText('This sailing has left.')).toBeDefined();
  expect(screen.queryByRole('link')).toBeNull();
});
