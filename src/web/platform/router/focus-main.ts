/**
 * Moves the focus to what is new on the page, named by its heading: that name is what a screen reader says, and the
 * page's title where the heading is still on its way.
 */
export function focusMain(): void {
  const main = document.querySelector('main');
  if (main === null) return;
  main.setAttribute('aria-label', main.querySelector('h1')?.textContent?.trim() || document.title);
  main.focus({ preventScroll: true });
}
