import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as delays from '#web/ui/feedback/delays.ts';
import { Menu } from '#web/ui/popup/menu.tsx';
import { placeBeside } from '#web/ui/popup/place.ts';
import { Popover } from '#web/ui/popup/popover.tsx';
import { Tooltip } from '#web/ui/popup/tooltip.tsx';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
  Reflect.deleteProperty(HTMLElement.prototype, 'showPopover');
});

function pass(ms: number): void {
  act(() => vi.advanceTimersByTime(ms));
}

function enter(element: Element): void {
  fireEvent.pointerEnter(element, { pointerType: 'mouse' });
}

function leave(element: Element): void {
  fireEvent.pointerLeave(element, { pointerType: 'mouse' });
}

test('the delays and distances are those of the specification', () => {
  expect({ ...delays }).toEqual({
    PENDING_SPINNER_DELAY_MS: 300,
    COPIED_SHOWN_MS: 2500,
    TOOLTIP_SHOW_DELAY_MS: 200,
    POPOVER_HIDE_DELAY_MS: 100,
    MENU_HIDE_DELAY_MS: 400,
    POPUP_DISPOSE_MS: 150,
    POPUP_DISTANCE_PX: 5,
    POPOVER_OFFSET_PX: 10,
    DOUBLE_CLICK_MS: 500,
    DATE_CLICK_WINDOW_MS: 2000,
  });
});

test('a tooltip shows after 200 ms, describes its control, and is disposed of 150 ms after it closes', () => {
  render(
    <Tooltip text="Print this order">
      <button type="button">Print</button>
    </Tooltip>,
  );
  const button = screen.getByRole('button');
  const root = button.parentElement as Element;
  enter(root);
  pass(199);
  expect(screen.queryByRole('tooltip')).toBeNull();
  pass(1);
  expect(screen.getByRole('tooltip').id).toBe(button.getAttribute('aria-describedby'));
  leave(root);
  pass(149);
  expect(screen.queryByRole('tooltip')).not.toBeNull();
  pass(1);
  expect(screen.queryByRole('tooltip')).toBeNull();
});

test('Escape pressed at the moment a tooltip shows closes it', () => {
  const pressEscape = () => document.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape' }));
  Object.defineProperty(HTMLElement.prototype, 'showPopover', { value: pressEscape, configurable: true });
  render(
    <Tooltip text="Print this order">
      <button type="button">Print</button>
    </Tooltip>,
  );
  enter(screen.getByRole('button').parentElement as Element);
  pass(200);
  pass(150);
  expect(screen.queryByText('Print this order')).toBeNull();
});

test('a popover opens under the pointer, waits 100 ms before it hides, and stays if the pointer comes back', () => {
  render(<Popover label="High lane">For vehicles above 2.10 m.</Popover>);
  const button = screen.getByRole('button');
  const root = button.parentElement as Element;
  enter(root);
  expect(button.getAttribute('aria-expanded')).toBe('true');
  leave(root);
  pass(99);
  enter(root);
  pass(1000);
  expect(button.getAttribute('aria-expanded')).toBe('true');
  leave(root);
  pass(100);
  expect(button.getAttribute('aria-expanded')).toBe('false');
  pass(150);
  expect(screen.queryByText(/2.10 m/)).toBeNull();
});

test('a popover opens by press too and closes on Escape', () => {
  render(<Popover label="High lane">For vehicles above 2.10 m.</Popover>);
  fireEvent.click(screen.getByRole('button'));
  expect(screen.getByText(/2.10 m/)).toBeTruthy();
  fireEvent.keyDown(document, { key: 'Escape' });
  pass(150);
  expect(screen.queryByText(/2.10 m/)).toBeNull();
});

function renderMenu() {
  const onSelect = vi.fn();
  const items = ['Print', 'Change', 'Refund'].map((label) => ({
    id: label,
    label,
    onSelect: () => onSelect(label),
  }));
  render(<Menu label="More" items={items} />);
  return { onSelect, button: screen.getByRole('button', { name: 'More' }) };
}

test('a menu hides 400 ms after the pointer left it', () => {
  const { button } = renderMenu();
  fireEvent.click(button);
  const root = button.parentElement as Element;
  leave(root);
  pass(399);
  expect(button.getAttribute('aria-expanded')).toBe('true');
  pass(1);
  expect(button.getAttribute('aria-expanded')).toBe('false');
});

test('arrow keys and first letters move in a menu, and Escape closes it', () => {
  const { button } = renderMenu();
  fireEvent.keyDown(button, { key: 'ArrowDown' });
  expect(document.activeElement?.textContent).toBe('Print');
  const steps: [string, string][] = [
    ['ArrowDown', 'Change'],
    ['End', 'Refund'],
    ['ArrowDown', 'Print'],
    ['ArrowUp', 'Refund'],
    ['c', 'Change'],
  ];
  for (const [key, text] of steps) {
    fireEvent.keyDown(document.activeElement as Element, { key });
    expect(document.activeElement?.textContent, key).toBe(text);
  }
  fireEvent.keyDown(document.activeElement as Element, { key: 'Escape' });
  expect(document.activeElement).toBe(button);
});

test('choosing from a menu closes it and returns the focus before the action runs', () => {
  const { button, onSelect } = renderMenu();
  fireEvent.click(button);
  fireEvent.click(screen.getByRole('menuitem', { name: 'Change' }));
  expect(onSelect.mock.calls).toEqual([['Change']]);
  expect(button.getAttribute('aria-expanded')).toBe('false');
  expect(document.activeElement).toBe(button);
});

test('a popup flips when its side has no room and keeps a distance from the edges', () => {
  const viewport = { width: 400, height: 300 };
  const popup = { width: 100, height: 50 };
  const place = (left: number, top: number, placement: 'top' | 'bottom-start' | 'bottom-end') =>
    placeBeside({ left, top, width: 40, height: 20 }, popup, viewport, placement, 10);
  expect(place(180, 150, 'top')).toEqual({ left: 150, top: 90 });
  expect(place(180, 20, 'top')).toEqual({ left: 150, top: 50 });
  expect(place(0, 150, 'top')).toEqual({ left: 8, top: 90 });
  expect(place(200, 150, 'bottom-start')).toEqual({ left: 200, top: 180 });
  expect(place(200, 270, 'bottom-end')).toEqual({ left: 140, top: 210 });
});

describe('in browsers without the popover API', () => {
  test('a popup stands at the end of the page, outside of what would cover or clip it', () => {
    const { button } = renderMenu();
    fireEvent.click(button);
    expect(screen.getByRole('menu').parentElement).toBe(document.body);
  });

  test('a popup of a dialog stands in the dialog, which makes the rest of the page inert', () => {
    render(
      <dialog open>
        <Popover label="High lane">For vehicles above 2.10 m.</Popover>
      </dialog>,
    );
    fireEvent.click(screen.getByRole('button'));
    expect(screen.getByText(/2.10 m/).parentElement).toBe(screen.getByRole('dialog'));
  });
});

test('in browsers with the popover API a popup is shown on the top layer, beside its button in the page', () => {
  const showPopover = vi.fn();
  Object.assign(HTMLElement.prototype, { showPopover });
  try {
    const { button } = renderMenu();
    fireEvent.click(button);
    const menu = screen.getByRole('menu');
    expect(menu.getAttribute('popover')).toBe('manual');
    expect(menu.parentElement).toBe(button.parentElement);
    expect(showPopover.mock.contexts).toEqual([menu]);
  } finally {
    Reflect.deleteProperty(HTMLElement.prototype, 'showPopover');
  }
});
