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

test('a control is named by its label and described by its error and hint', () => {
  render(<TextField label="Name" hint="As in your passport." error="Enter your name." />);
  const input = screen.getByRole('textbox', { name: 'Name' });
  const described = input.getAttribute('aria-describedby')?.split(' ') ?? [];
  expect(described.map((id) => document.getElementById(id)?.textContent)).toEqual([
    'Enter your name.',
    'As in your passport.',
  ]);
  expect(input.getAttribute('aria-invalid')).toBe('true');
});

test('a control without hint and error has no description, and an optional one says so', () => {
  render(<TextField label="Note" isOptional />);
  const input = screen.getByRole('textbox', { name: 'Note (optional)' });
  expect(input.hasAttribute('aria-describedby')).toBe(false);
  expect(input.hasAttribute('aria-invalid')).toBe(false);
});

test('two fields have different ids', () => {
  render(
    <>
      <TextField label="One" />
      <Select label="Two" options={[{ value: 'a', label: 'A' }]} />
    </>,
  );
  expect(screen.getByLabelText('One').id).not.toBe(screen.getByLabelText('Two').id);
});

test('email and phone fields have the right type and autofill', () => {
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

test('a password is hidden until its button is pressed', async () => {
  render(<PasswordField label="Password" />);
  const input = screen.getByLabelText<HTMLInputElement>('Password');
  const toggle = screen.getByRole('button', { name: 'Show password' });
  expect(input.type).toBe('password');
  await userEvent.click(toggle);
  expect(input.type).toBe('text');
  expect(toggle.getAttribute('aria-pressed')).toBe('true');
});

test('a pasted code is reduced to its six digits and reported once', async () => {
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

test('an error summary takes the focus when it appears and whenever it gets new errors', () => {
  const { rerender } = render(<ErrorSummary errors={[]} />);
  expect(screen.queryByRole('alert')).toBeNull();
  rerender(<ErrorSummary errors={[{ fieldId: 'name', message: 'Enter your name' }]} />);
  expect(document.activeElement).toBe(screen.getByRole('alert'));
  screen.getByRole('link').focus();
  rerender(<ErrorSummary errors={[{ fieldId: 'name', message: 'Enter your name' }]} />);
  expect(document.activeElement).toBe(screen.getByRole('alert'));
});

test('a link of the error summary focuses its field', async () => {
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
