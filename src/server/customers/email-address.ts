/** The form in which addresses are compared and stored: NFC, lower case. */
export function normaliseEmail(text: string): string {
  return text.normalize('NFC').toLowerCase();
}
