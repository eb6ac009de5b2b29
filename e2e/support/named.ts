/** Stands for any value of a message. */
export const ANY = '\uE000';

/** The whole of a written message, with whatever stands in place of `ANY`. */
export function named(text: string): RegExp {
  const escaped = text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  // Browsers normalize a space that breaks no line, as French has before a colon, in the names of elements.
  return new RegExp(`^${escaped.replace(/\s+/g, '\\s+').replaceAll(ANY, '.+')}$`);
}
