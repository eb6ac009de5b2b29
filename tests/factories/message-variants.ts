import { compileEnglish } from '#messages/catalogues/catalogue.ts';

/** What stands for a value. */
export const WORD = '…';

/** A text, the number of a plural, or an array that begins with the name of a placeholder or tag. */
type Part = string | number | readonly [name: string, ...rest: unknown[]];
type Parts = string | number | readonly Part[];

/** Every text that a message can become, without its tags: one for each of its plurals and choices. */
export function writeVariants(text: string): string[] {
  return writeParts(compileEnglish(text) as Parts);
}

function writeParts(parts: Parts): string[] {
  if (!Array.isArray(parts)) return writePart(parts as string | number);
  return parts.reduce<string[]>(
    (texts, part) => texts.flatMap((text) => writePart(part).map((next) => text + next)),
    [''],
  );
}

function writePart(part: Part): string[] {
  if (typeof part === 'string') return [part];
  if (typeof part === 'number') return [WORD];
  const [, content, choices] = part;
  // A plural, a choice or a formatted number; 0 would be the number of a plural in a tag.
  if (typeof content === 'number' && content > 0) {
    return typeof choices === 'object'
      ? Object.values(choices as Record<string, Parts>).flatMap(writeParts)
      : [WORD];
  }
  return content === undefined || content === '' ? [WORD] : writeParts(part.slice(1) as Part[]);
}
