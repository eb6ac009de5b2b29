// @vitest-environment node
import { expect, test } from 'vitest';
import { findMailSite } from '#web/portal/identity/forms/check-your-email.tsx';

test.each([
  ['ada@gmail.com', 'Gmail'],
  ['Ada@Hotmail.COM', 'Outlook'],
  ['"a@b"@icloud.com', 'iCloud Mail'],
  ['ada@example.com', undefined],
  ['ada@constructor', undefined],
])('the web mail of %s is at %s', (email, name) => {
  expect(findMailSite(email)?.name).toBe(name);
});
