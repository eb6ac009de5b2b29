import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { openPage, PORTAL } from '#tests/web/platform/page.ts';
import { NewPasswordField } from '#web/features/identity/new-password-field.tsx';
import { stubStrengthWorker } from './fake-strength.ts';

const judge = stubStrengthWorker();
const CONTEXT = { email: 'robin@example.com', name: 'Robin' };

beforeEach(() => {
  vi.useFakeTimers();
  // In tests the worker is a source module.
  openPage(`${PORTAL}/sign_up`, { password_min_length: 8, version: 'development' });
  judge.requests = [];
  judge.scoreOf = () => 3;
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});
afterAll(() => {
  vi.unstubAllGlobals();
});

function Form() {
  const [password, setPassword] = useState('');
  return (
    <NewPasswordField
      id="password"
      label="Password"
      error={undefined}
      value={password}
      context={CONTEXT}
      onChange={setPassword}
    />
  );
}

async function type(text: string) {
  const field = screen.getByLabelText<HTMLInputElement>('Password');
  fireEvent.change(field, { target: { value: field.value + text } });
  await rest(150);
}

const rest = (milliseconds: number) => act(() => vi.advanceTimersByTimeAsync(milliseconds));
const announcement = () => screen.getByRole('status').textContent;

test('the password lists are not loaded before the first letter', async () => {
  render(<Form />);
  await rest(5000);
  expect(judge.started).toBe(0);
  await type('f');
  expect(judge.started).toBe(1);
  expect(screen.getByText('7 more characters.')).toBeTruthy();
});

test('a password is judged with the owner’s name and address', async () => {
  render(<Form />);
  await type('robin on a ferry');
  expect(judge.requests.at(-1)).toMatchObject({
    password: 'robin on a ferry',
    context: { ...CONTEXT, brand: 'Sound Ferries' },
  });
});

test.each([
  [0, 'Too easy to guess. Try a few unrelated words.', '1'],
  [1, 'Too easy to guess. Try a few unrelated words.', '1'],
  [2, 'Still easy to guess. Add another word.', '2'],
  [3, 'Good password.', '3'],
  [4, 'Very good password.', '4'],
])('strength %i reads "%s"', async (score, text, level) => {
  judge.scoreOf = () => score;
  render(<Form />);
  await type('by ferry');
  const verdict = screen.getByText(text);
  expect(verdict.closest('[data-level]')?.getAttribute('data-level')).toBe(level);
  expect(verdict.closest('[aria-hidden=true]')).not.toBeNull();
});

test('the verdict is announced after a pause, not at each letter', async () => {
  judge.scoreOf = () => 4;
  render(<Form />);
  await type('by ferry');
  expect(announcement()).toBe('');
  await rest(1000);
  expect(announcement()).toBe('Very good password.');
});

test('characters are counted as the server does', async () => {
  render(<Form />);
  await type('🛳🛳🛳🛳🛳🛳🛳');
  expect(screen.getByText('One more character.')).toBeTruthy();
});

test('a late estimate does not judge a newer password', async () => {
  judge.scoreOf = ({ password }) => (password === 'by ferry' ? 0 : 4);
  render(<Form />);
  await type('by ferry');
  await type(' across the sound');
  expect(screen.getByText('Very good password.')).toBeTruthy();
});

test('the field works without the password lists, and shows no meter', async () => {
  judge.scoreOf = () => 'fails';
  render(<Form />);
  await type('by ferry across');
  expect(screen.queryByText(/password\.$|guess/)).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('by ferry across');
});

test('the password lists are not loaded in browsers that save data', async () => {
  const before = judge.requests.length;
  Object.defineProperty(navigator, 'connection', { value: { saveData: true }, configurable: true });
  render(<Form />);
  await type('by ferry across');
  expect(judge.requests).toHaveLength(before);
  Object.defineProperty(navigator, 'connection', { value: undefined, configurable: true });
});

test('password managers recognize a new password', () => {
  render(<Form />);
  expect(screen.getByLabelText('Password').getAttribute('autocomplete')).toBe('new-password');
  expect(screen.getByText(/^At least 8 characters\./)).toBeTruthy();
});
