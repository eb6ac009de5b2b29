import type { ShownTime } from '#domain/sailings/crossing-times.ts';
import { escapeHtml } from '../core/markup.ts';

/** A departure or an arrival, marked up as the app does: the time that no longer holds is struck. */
export function shownTimeHtml({ instant, text, replaced }: ShownTime): string {
  const time = (content: string) =>
    `<time datetime="${new Date(instant).toISOString()}">${content}${escapeHtml(text)}</time>`;
  if (replaced === null) return time('');
  const planned = `<s><span class="visually-hidden">planned </span>${escapeHtml(replaced)}</s>`;
  return `${planned} ${time('<span class="visually-hidden">expected </span>')}`;
}
