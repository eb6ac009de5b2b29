/** The form in which addresses are compared and kept: one composition, no capitals. */
export function normaliseEmail(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
