import { cleanup, render, screen } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { useState } from 'react';
import { afterEach, expect, test } from 'vitest';
import { MailField } from '#web/features/site/mail-field.tsx';

const user = userEvent.setup();

afterEach(cleanup);

function Form() {
  const [email, setEmail] = useState('');
  return (
    <MailField
      label="Email"
      value={email}
      onAccept={setEmail}
      onChange={({ target }) => setEmail(target.value)}
    />
  );
}

test('a slip in a well-known host is asked about once the field is left, and accepted by one tap', async () => {
  render(<Form />);
  const field = screen.getByLabelText<HTMLInputElement>('Email');
  await user.type(field, 'ana@gmial.com');
  expect(screen.queryByRole('button')).toBeNull();
  await user.tab();
  await user.click(await screen.findByRole('button', { name: 'ana@gmail.com' }));
  expect(field.value).toBe('ana@gmail.com');
  expect(document.activeElement).toBe(field);
  expect(screen.queryByRole('button')).toBeNull();
});

test('an address that is typed on is not asked about', async () => {
  render(<Form />);
  const field = screen.getByLabelText('Email');
  await user.type(field, 'ana@gmail.co');
  await user.tab();
  await screen.findByRole('button', { name: 'ana@gmail.com' });
  await user.type(field, 'mpany.example');
  expect(screen.queryByRole('button')).toBeNull();
});
