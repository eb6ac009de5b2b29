import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { readWedge } from '#web/staff/gate/scanner/wedge.ts';

const read: string[] = [];
let stop: () => void;
let now = 1000;

beforeEach(() => {
  vi.useFakeTimers();
  read.length = 0;
  stop = readWedge((text) => read.push(text));
});
afterEach(() => {
  stop();
  vi.useRealTimers();
  document.body.replaceChildren();
});

function press(key: string, { after = 10, target = document.body as Element } = {}): KeyboardEvent {
  now += after;
  vi.advanceTimersByTime(after);
  const event = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
  Object.defineProperty(event, 'timeStamp', { value: now });
  target.dispatchEvent(event);
  return event;
}

function scan(text: string, options?: { after?: number; target?: Element }) {
  for (const key of text) press(key, options);
}

test('a scanner’s text ends with Enter, which presses no button', () => {
  scan('GW1ABC');
  expect(press('Enter').defaultPrevented).toBe(true);
  expect(read).toEqual(['GW1ABC']);
});

test('a scanner’s text ends without Enter after a pause', () => {
  scan('GW1ABC');
  expect(read).toEqual([]);
  vi.advanceTimersByTime(100);
  expect(read).toEqual(['GW1ABC']);
});

test('what people type slowly is no scan, and their Enter presses the button', () => {
  scan('GW1ABC', { after: 150 });
  expect(press('Enter', { after: 150 }).defaultPrevented).toBe(false);
  vi.advanceTimersByTime(1000);
  expect(read).toEqual([]);
});

test('a few fast keys are no scan', () => {
  scan('abc');
  press('Enter');
  vi.advanceTimersByTime(1000);
  expect(read).toEqual([]);
});

test('keys that go to a field stay there', () => {
  const field = document.body.appendChild(document.createElement('input'));
  scan('GW1ABC', { target: field });
  expect(press('Enter', { target: field }).defaultPrevented).toBe(false);
  vi.advanceTimersByTime(1000);
  expect(read).toEqual([]);
});

test('keys with Shift are part of the text, and keys without a character are not', () => {
  press('Shift');
  press('G');
  press('Shift');
  scan('W1A');
  press('Tab');
  expect(read).toEqual(['GW1A']);
});
