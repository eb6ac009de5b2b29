import type { MailContent } from '#server/mail/mail-content.ts';

const MOST_WORDS = 20;
const NEGATIVES = /\b(no|not|never|none|nothing|nobody|neither|nor|without|cannot|\w+n[’']t)\b/gi;

/** The sentences of a text that are longer than twenty words, or that negate twice. */
export function findHardSentences(text: string): string[] {
  return text
    .split(/(?<=[.!?])\s+/)
    .filter(
      (sentence) =>
        (sentence.match(/\S+/g)?.length ?? 0) > MOST_WORDS || (sentence.match(NEGATIVES)?.length ?? 0) > 1,
    );
}

/** The sentences of a mail: its paragraphs, alerts, lists and footer, without tables. */
export function textsOf({ parts, footer }: Pick<MailContent, 'parts' | 'footer'>): string[] {
  const said = parts.flatMap((part) => {
    if (part.kind === 'list') return part.items;
    return part.kind === 'text' || part.kind === 'alert' || part.kind === 'heading' ? [part.text] : [];
  });
  return [...said, ...footer];
}
