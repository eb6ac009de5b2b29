import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test, vi } from 'vitest';
import { CodeField } from '#web/ui/form/code-field.tsx';
import { ErrorSummary } from '#web/ui/form/error-summary.tsx';
import { EmailField, PhoneField, TextField } from '#web/ui/form/field.tsx';
import { PasswordField } from '#web/ui/form/password-field.tsx';
import { Select } from '#web/ui/form/select.tsx';

afterEach(cleanup);

test('a field ties label, hint and error to its control', () => {
  render(<TextField label="Name" hint="As in your passport." error="Enter your name." />);
  const input = screen.getByRole('textbox', { name: 'Name' });
  const described = input.getAttribute('aria-describedby')?.split(' ') ?? [];
  expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual([
    'Enter your name.',
    'As in your passport.',
  ]);
  expect(input.getAttribute('aria-invalid')).toBe('true');
});

test('a field without hint and error says nothing of them, and one that may be left empty says so', () => {
  render(<TextField label="Note" isOptional />);
  const input = screen.getByRole('textbox', { name: 'Note (optional)' });
  expect(input.hasAttribute('aria-describedby')).toBe(false);
  expect(input.hasAttribute('aria-invalid')).toBe(false);
});

test('two fields never share an id', () => {
  render(
    <>
      <TextField label="One" />
      <Select label="Two" options={[{ value: 'a', label: 'A' }]} />
    </>,
  );
  expect(screen.getByLabelText('One').id).not.toBe(screen.getByLabelText('Two').id);
});

test('email and phone fields bring up the right keyboard and autofill', () => {
  render(
    <>
      <EmailField label="Email" />
      <PhoneField label="Phone" />
    </>,
  );
  const email = screen.getByLabelText<HTMLInputElement>('Email');
  const phone = screen.getByLabelText<HTMLInputElement>('Phone');
  expect([email.type, email.autocomplete]).toEqual(['email', 'email']);
  expect([phone.type, phone.autocomplete]).toEqual(['tel', 'tel']);
});

test('a password is hidden until it is asked for', async () => {
  render(<PasswordField label="Password" />);
  const input = screen.getByLabelText<HTMLInputElement>('Password');
  const toggle = screen.getByRole('button', { name: 'Show password' });
  expect(input.type).toBe('password');
  await userEvent.click(toggle);
  expect(input.type).toBe('text');
  expect(toggle.getAttribute('aria-pressed')).toBe('true');
});

test('a pasted code loses everything but its six digits and is handed on once', async () => {
  const onComplete = vi.fn();
  render(<CodeSample onComplete={onComplete} />);
  const input = screen.getByLabelText<HTMLInputElement>('Code');
  expect(input.autocomplete).toBe('one-time-code');
  input.focus();
  await userEvent.paste('code: 123 456 789');
  expect(input.value).toBe('123456');
  await userEvent.keyboard('7');
  expect(onComplete.mock.calls).toEqual([['123456']]);
});

test('an error summary takes the focus when it appears and again at the next attempt', () => {
  const { rerender } = render(<ErrorSummary errors={[]} />);
  expect(screen.queryByRole('alert')).toBeNull();
  rerender(<ErrorSummary errors={[{ fieldId: 'name', message: 'Enter your name' }]} />);
  expect(document.activeElement).toBe(screen.getByRole('alert'));
  screen.getByRole('link').focus();
  rerender(<ErrorSummary errors={[{ fieldId: 'name', message: 'Enter your name' }]} />);
  expect(document.activeElement).toBe(screen.getByRole('alert'));
});

test('a line of the error summary leads to its field', async () => {
  render(
    <>
      <ErrorSummary errors={[{ fieldId: 'name', message: 'Enter your name' }]} />
      <TextField id="name" label="Name" />
    </>,
  );
  await userEvent.click(screen.getByRole('link', { name: 'Enter your name' }));
  expect(document.activeElement).toBe(screen.getByLabelText('Name'));
});

function CodeSample({ onComplete }: { onComplete: (code: string) => void }) {
  const [code, setCode] = useState('');
  return <CodeField label="Code" value={code} onChange={setCode} onComplete={onComplete} />;
}
