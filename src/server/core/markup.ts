/** Escapes text for element content and quoted attributes. */
export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

/** Embeds data as JSON. Not a script, so policies allow it; `<` is escaped, so that it cannot end the element. */
export function embedJson(
  type: 'application/json' | 'application/ld+json',
  value: unknown,
  id?: string,
): string {
  const name = id === undefined ? '' : ` id="${id}"`;
  return `<script type="${type}"${name}>${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`;
}
