import { afterEach, expect, test } from 'vitest';
import { focusMain } from '#web/platform/router/focus-main.ts';

afterEach(() => {
  document.body.innerHTML = '';
});

test('the focus moves to the main element, which is named by its heading', () => {
  document.body.innerHTML = '<main tabindex="-1"><h1> Trip Cards </h1></main>';
  focusMain();
  expect(document.activeElement?.tagName).toBe('MAIN');
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Trip Cards');
});

test('the main element is named by the page title until its heading is rendered', () => {
  document.title = 'My Orders | Harbor Line';
  document.body.innerHTML = '<main tabindex="-1"></main>';
  focusMain();
  expect(document.activeElement?.getAttribute('aria-label')).toBe('My Orders | Harbor Line');
});
