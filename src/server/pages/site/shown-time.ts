import type { Translate } from '#messages/translate.ts';
import type { ShownTime } from '#sentences/crossing-times.ts';
import { escapeHtml } from '#server/core/markup.ts';

/** A departure or an arrival, marked up as the app does: the time that no longer holds is struck. */
export function shownTimeHtml(t: Translate, { instant, text, replaced }: ShownTime): string {
  const time = (content: string) => `<time datetime="${new Date(instant).toISOString()}">${content}</time>`;
  if (replaced === null) return time(escapeHtml(text));
  const planned = t('planned {time}', { time: `</span>${escapeHtml(replaced)}` });
  const expected = t('expected {time}', { time: `</span>${escapeHtml(text)}` });
  return `<s>${HIDDEN}${planned}</s> ${time(HIDDEN + expected)}`;
}

/** Read out before a time; what it looks like tells those who see it. */
const HIDDEN = '<span class="visually-hidden">';
