/** Whether a ticket has lost its place: canceled, or replaced by another one. */
export function isVoid({ status }: { status: string }): boolean {
  return status === 'canceled' || status === 'replaced';
}
