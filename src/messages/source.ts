/** A message as the source has it, in its parts. */
export type SourceParts = {
  /** The English text in ICU MessageFormat. */
  text: string;
  /** What distinguishes it from other messages of the same text. */
  context: string | null;
};

/**
 * Reads a message of the source. Where one English text has several meanings, a bar and a context follow it:
 * `To|a day`.
 */
export function readSource(source: string): SourceParts {
  const [text = '', context = null] = source.split('|');
  return { text, context };
}
