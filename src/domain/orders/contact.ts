/** How customers reach the operator; null where the operator has not configured it. */
export type Contact = { phone: string | null; email: string | null };

/** Name, phone and e-mail address on one line; unknown parts are omitted. */
export function formatContact(name: string, { phone, email }: Contact): string {
  return [name, phone, email].filter((part) => part !== null).join(' · ');
}

/** "call +1 … or write to help@…", for use within a sentence. Null if neither is known. */
export function describeContact({ phone, email }: Contact): string | null {
  const journeys = [
    ...(phone === null ? [] : [`call ${phone}`]),
    ...(email === null ? [] : [`write to ${email}`]),
  ];
  return journeys.length === 0 ? null : journeys.join(' or ');
}
