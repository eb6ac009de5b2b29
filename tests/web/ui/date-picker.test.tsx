import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { setTextLanguage } from '#web/language/page-language.ts';
import { DatePicker, type DatePickerProps } from '#web/ui/calendar/date-picker.tsx';
import { findLeftBeside } from '#web/ui/calendar/place-calendar.ts';

afterEach(() => {
  cleanup();
  findCover()?.remove();
  setTextLanguage('en-US');
});

function Sample({ onChange, ...props }: Partial<DatePickerProps>) {
  const [value, setValue] = useState(props.value ?? '2026-07-24');
  function handleChange(next: string, problem: string | null) {
    onChange?.(next, problem);
    setValue(next);
  }
  return <DatePicker label="Departure" today="2026-07-22" {...props} value={value} onChange={handleChange} />;
}

function renderPicker(props: Partial<DatePickerProps> = {}) {
  const onChange = vi.fn();
  render(<Sample {...props} onChange={onChange} />);
  const input = screen.getByRole<HTMLInputElement>('textbox', { name: 'Departure' });
  return { onChange, user: userEvent.setup(), input };
}

type User = ReturnType<typeof userEvent.setup>;

async function openCalendar(user: User) {
  await user.click(screen.getByRole('button', { name: /date/i }));
  const dialog = await screen.findByRole('dialog', { name: 'Choose a date' });
  await waitFor(() => expect(dialog.contains(document.activeElement)).toBe(true));
  return within(dialog);
}

function focusedName(): string | null {
  return document.activeElement?.getAttribute('aria-label') ?? null;
}

test('the day is shown and typed as month/day/year and reported as an ISO date', async () => {
  const { onChange, user, input } = renderPicker();
  expect(input.value).toBe('07/24/2026');
  await user.clear(input);
  await user.type(input, '8/1/2026{Enter}');
  expect(onChange).toHaveBeenLastCalledWith('2026-08-01', null);
  expect(input.value).toBe('08/01/2026');
  await user.clear(input);
  await user.tab();
  expect(onChange).toHaveBeenLastCalledWith('', null);
});

test('a typed day is repeated in words while it is typed, in the form of the operator’s region', async () => {
  setTextLanguage('en-GB');
  const { user, input } = renderPicker();
  expect(screen.getByText('Fri, 24 July 2026')).toBeTruthy();
  await user.clear(input);
  expect(screen.getByText('Month/day/year')).toBeTruthy();
  await user.type(input, '02/03/2027');
  expect(screen.getByText('Wed, 3 February 2027')).toBeTruthy();
});

test('in German the day is shown, typed and explained from the day on, and weeks start on Monday', async () => {
  setTextLanguage('de');
  const { onChange, user, input } = renderPicker();
  expect(input.value).toBe('24.07.2026');
  expect(input.placeholder).toBe('TT.MM.JJJJ');
  await user.clear(input);
  expect(screen.getByText('Tag.Monat.Jahr')).toBeTruthy();
  await user.type(input, '7/24/2026{Enter}');
  expect(screen.getByText('Enter the date as Tag.Monat.Jahr, like 22.07.2026.')).toBeTruthy();
  await user.clear(input);
  await user.type(input, '1.8.2026{Enter}');
  expect(onChange).toHaveBeenLastCalledWith('2026-08-01', null);
  const calendar = await openCalendar(user);
  expect(calendar.getAllByRole('columnheader').map(({ textContent }) => textContent)).toEqual([
    ...['Mo', 'Di', 'Mi', 'Do', 'Fr', 'Sa', 'So'],
  ]);
  const walk: [string, string][] = [
    ['{Home}', 'Montag, 27. Juli 2026'],
    ['{End}', 'Sonntag, 2. August 2026'],
  ];
  for (const [key, name] of walk) {
    await user.keyboard(key);
    expect(focusedName(), key).toBe(name);
  }
});

test('from right to left, the left arrow key leads to the next day', async () => {
  setTextLanguage('ar-XB');
  const { user } = renderPicker();
  await openCalendar(user);
  await user.keyboard('{ArrowLeft}');
  expect(focusedName()).toBe('Saturday, July 25, 2026');
});

test('text that is not a date stays in the field with an error and counts as no day', async () => {
  const { onChange, user, input } = renderPicker();
  await user.clear(input);
  await user.type(input, '24/7/2026');
  await user.tab();
  const problem = 'Enter the date as month/day/year, like 07/22/2026.';
  expect(onChange.mock.calls).toEqual([['', problem]]);
  expect(input.value).toBe('24/7/2026');
  expect(input.getAttribute('aria-invalid')).toBe('true');
  expect(input.getAttribute('aria-describedby')).toContain(screen.getByText(problem).id);
});

test('a typed day before the first or after the last one is refused', async () => {
  const { onChange, user, input } = renderPicker({ min: '2026-07-20', max: '2026-08-31' });
  await user.clear(input);
  await user.type(input, '07/01/2026{Enter}');
  expect(screen.getByText('Choose 07/20/2026 or a later day.')).toBeTruthy();
  await user.clear(input);
  await user.type(input, '09/01/2026{Enter}');
  expect(screen.getByText('Choose 08/31/2026 or an earlier day.')).toBeTruthy();
  await user.clear(input);
  await user.type(input, '08/31/2026{Enter}');
  expect(onChange.mock.calls).toEqual([
    ['', 'Choose 07/20/2026 or a later day.'],
    ['', 'Choose 08/31/2026 or an earlier day.'],
    ['2026-08-31', null],
  ]);
});

test('the calendar shows 42 days from Sunday, and keys move among them', async () => {
  const { user } = renderPicker();
  const calendar = await openCalendar(user);
  expect(calendar.getAllByRole('gridcell')).toHaveLength(42);
  expect(calendar.getAllByRole('columnheader')[0]?.textContent).toBe('Su');
  expect(focusedName()).toBe('Friday, July 24, 2026');
  const walk: [string, string][] = [
    ['{ArrowRight}', 'Saturday, July 25, 2026'],
    ['{ArrowDown}', 'Saturday, August 1, 2026'],
    ['{ArrowLeft}', 'Friday, July 31, 2026'],
    ['{ArrowUp}', 'Friday, July 24, 2026'],
    ['{Home}', 'Sunday, July 19, 2026'],
    ['{End}', 'Saturday, July 25, 2026'],
    ['{PageDown}', 'Tuesday, August 25, 2026'],
    ['{PageUp}', 'Saturday, July 25, 2026'],
    ['{Shift>}{PageDown}{/Shift}', 'Sunday, July 25, 2027'],
    ['{Shift>}{PageUp}{/Shift}', 'Saturday, July 25, 2026'],
  ];
  for (const [key, name] of walk) {
    await user.keyboard(key);
    expect(focusedName(), key).toBe(name);
  }
});

test('Enter chooses the day, closes the calendar and gives the focus back', async () => {
  const { onChange, user } = renderPicker();
  await openCalendar(user);
  await user.keyboard('{ArrowRight}{Enter}');
  expect(onChange).toHaveBeenCalledWith('2026-07-25', null);
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(focusedName()).toBe('Change date, 07/25/2026');
});

test('the keyboard stops at the limits, and a day beyond them cannot be chosen', async () => {
  const { onChange, user } = renderPicker({ min: '2026-07-23', max: '2026-07-26' });
  const calendar = await openCalendar(user);
  await user.keyboard('{PageUp}');
  expect(focusedName()).toBe('Thursday, July 23, 2026');
  await user.click(calendar.getByRole('button', { name: 'Wednesday, July 22, 2026' }));
  await user.click(calendar.getByRole('button', { name: 'Monday, July 27, 2026' }));
  expect(onChange).not.toHaveBeenCalled();
  expect(screen.getByRole('dialog')).toBeTruthy();
});

test('the title zooms out to 12 months, then to 12 years', async () => {
  const { onChange, user } = renderPicker();
  const calendar = await openCalendar(user);
  await user.click(calendar.getByRole('button', { name: 'July 2026' }));
  expect(calendar.getAllByRole('gridcell')).toHaveLength(12);
  await user.click(calendar.getByRole('button', { name: '2026' }));
  expect(calendar.getAllByRole('gridcell')).toHaveLength(12);
  const title = calendar.getByRole('button', { name: '2020–2029' });
  expect(title.getAttribute('aria-disabled')).toBe('true');
  await user.click(title);
  await user.click(calendar.getByRole('button', { name: '2027' }));
  await user.click(calendar.getByRole('button', { name: 'March 2027' }));
  await user.click(calendar.getByRole('button', { name: 'Monday, March 1, 2027' }));
  expect(onChange).toHaveBeenCalledWith('2027-03-01', null);
});

test('the chosen day takes a second click for 2000 ms, so that nothing beneath it is pressed', async () => {
  const { onChange, user } = renderPicker();
  const calendar = await openCalendar(user);
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const day = calendar.getByRole('button', { name: 'Saturday, July 25, 2026' });
  vi.spyOn(day, 'getBoundingClientRect').mockReturnValue(new DOMRect(100, 600, 50, 44));
  fireEvent.click(day, { detail: 1 });
  expect(screen.queryByRole('dialog')).toBeNull();
  const { left, top, width, height } = findCover()?.style ?? {};
  expect([left, top, width, height]).toEqual(['100px', '600px', '50px', '44px']);
  vi.advanceTimersByTime(1999);
  expect(findCover()).not.toBeNull();
  vi.advanceTimersByTime(1);
  expect(findCover()).toBeNull();
  expect(onChange.mock.calls).toEqual([['2026-07-25', null]]);
});

test('a day chosen with the keyboard covers nothing', async () => {
  const { user } = renderPicker();
  await openCalendar(user);
  await user.keyboard('{ArrowRight}{Enter}');
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(findCover()).toBeNull();
});

function findCover() {
  return document.querySelector<HTMLElement>('[data-second-click]');
}

test('a calendar with room neither above nor below its field moves to a side that has room', () => {
  const field = { left: 20, right: 120, top: 140, bottom: 160, width: 100 };
  const calendar = { left: 20, right: 120, top: 8, bottom: 290, width: 100 };
  expect(findLeftBeside(field, calendar, 400)).toBe(125);
  expect(findLeftBeside({ ...field, left: 280, right: 380 }, calendar, 400)).toBe(175);
  expect(findLeftBeside(field, calendar, 200)).toBeNull();
  expect(findLeftBeside({ ...field, top: 300, bottom: 320 }, calendar, 400)).toBeNull();
});
