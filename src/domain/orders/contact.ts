/** How customers reach the operator; null where the operator has not configured it. */
export type Contact = { phone: string | null; email: string | null };

/** Name, phone and e-mail address on one line; unknown parts are omitted. */
export function formatContact(name: string, { phone, email }: Contact): string {
  return [name, phone, email].filter((part) => part !== null).join(' · ');
}
