import { busyReasons } from './busy.ts';
import { mayReload } from './reload.ts';

/** Whoever touched the page this lately is in the middle of something, even if it is only reading. */
const QUIET_AFTER = 30_000;

let touchedAt = Number.NEGATIVE_INFINITY;
let isWriting = () => false;

/** `isCalm`: a reload into `target` would lose nothing and is allowed. `isQuiet`: nobody would be disturbed. */
export function findMoment(
  target: string,
  reloadedFor: string | null,
): { isCalm: boolean; isQuiet: boolean } {
  return {
    isCalm: reloadedFor !== target && mayReload('version', target) && findBusyReason() === null,
    isQuiet: document.visibilityState === 'hidden' || performance.now() - touchedAt > QUIET_AFTER,
  };
}

/** Why this tab cannot be spared: what a screen says of itself, and what can be seen from outside of any screen. */
export function findBusyReason(): string | null {
  const [reason] = busyReasons();
  if (reason !== undefined) return reason;
  if (isWriting()) return 'something being sent';
  if (document.querySelector('dialog[open]') !== null) return 'a dialog open';
  return isTyping(document.activeElement) ? 'something being typed' : null;
}

/** From here on it is known when the page was last touched; `writes` says whether something is being sent. */
export function watchPage(writes: () => boolean): void {
  isWriting = writes;
  for (const type of ['pointerdown', 'keydown', 'wheel', 'touchmove']) {
    window.addEventListener(type, touch, { capture: true, passive: true });
  }
}

function touch(): void {
  touchedAt = performance.now();
}

function isTyping(element: Element | null): boolean {
  if (element instanceof HTMLTextAreaElement) return element.value !== '';
  return element instanceof HTMLInputElement && TYPED.test(element.type) && element.value !== '';
}

const TYPED = /^(text|email|tel|search|password|number|url)$/;
