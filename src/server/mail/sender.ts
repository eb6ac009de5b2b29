import { EmailSchema } from '#contract/common.ts';

/** The sender of mails. `name` is null if the operator's brand name is shown. */
export type Sender = { name: string | null; address: string };

const CONTROL = /[\p{Cc}\u2028\u2029]/u;
/** A quoted name may contain anything, with quotes and backslashes escaped; an unquoted one no special characters. */
const NAMED = /^(?:"((?:[^"\\]|\\.)*)"|([^"<>()[\]\\,;:@]*))\s*<([^<>]*)>$/;

/**
 * Parses a sender as in mail headers: `tickets@example.com`, `Harbor Line <tickets@example.com>` or `"Line, Harbor"
 * <tickets@example.com>`.
 * @returns null if it is not exactly one sender
 */
export function parseSender(text: string): Sender | null {
  if (CONTROL.test(text)) return null;
  const trimmed = text.trim();
  const named = NAMED.exec(trimmed);
  const name = (named?.[1]?.replace(/\\(.)/g, '$1') ?? named?.[2] ?? '').trim();
  const address = EmailSchema.safeParse(named?.[3] ?? trimmed);
  return address.success ? { name: name === '' ? null : name, address: address.data } : null;
}
