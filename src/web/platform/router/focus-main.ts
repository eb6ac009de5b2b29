/**
 * Moves the focus to the new screen. Screen readers announce its heading, or the page's title while the heading is
 * missing.
 */
export function focusMain(): void {
  const main = document.querySelector('main');
  if (main === null) return;
  main.setAttribute('aria-label', main.querySelector('h1')?.textContent?.trim() || document.title);
  main.focus({ preventScroll: true });
}
