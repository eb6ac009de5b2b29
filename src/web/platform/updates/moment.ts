import { connectionPhase } from '../connection/connection.ts';
import { busyReasons, isBusy } from './busy.ts';
import { mayReload } from './reload.ts';
import type { UpdateMoment } from './update-machine.ts';

/** Whoever touched the page this lately is in the middle of something, even if it is only reading. */
const QUIET_AFTER = 30_000;

let touchedAt = Number.NEGATIVE_INFINITY;
let isWriting = () => false;

/** What moment it is for a reload into `target`; for a release that was reloaded for already it is never calm. */
export function findMoment(target: string, reloadedFor: string | null): UpdateMoment {
  const isCalm = reloadedFor !== target && mayReload('version', target) && findBusyReason() === null;
  const isOnlyLight = isBusy() && findHeavyReason() === null;
  return {
    isCalm,
    isQuiet: document.visibilityState === 'hidden' || performance.now() - touchedAt > QUIET_AFTER,
    isHeld: !isCalm && !isOnlyLight && connectionPhase.get() === 'available',
  };
}

/** Why this tab cannot be spared: what a screen says of itself, and what can be seen from outside of any screen. */
export function findBusyReason(): string | null {
  return busyReasons()[0] ?? findHeavyReason();
}

/** From here on it is known when the page was last touched; `writes` says whether something is being sent. */
export function watchPage(writes: () => boolean): void {
  isWriting = writes;
  for (const type of ['pointerdown', 'keydown', 'wheel', 'touchmove']) {
    window.addEventListener(type, touch, { capture: true, passive: true });
  }
}

function findHeavyReason(): string | null {
  const [reason] = busyReasons({ lightToo: false });
  if (reason !== undefined) return reason;
  if (isWriting()) return 'something being sent';
  if (document.querySelector('dialog[open]') !== null) return 'a dialog open';
  return isTyping(document.activeElement) ? 'something being typed' : null;
}

function touch(): void {
  touchedAt = performance.now();
}

function isTyping(element: Element | null): boolean {
  if (element instanceof HTMLTextAreaElement) return element.value !== '';
  return element instanceof HTMLInputElement && TYPED.test(element.type) && element.value !== '';
}

const TYPED = /^(text|email|tel|search|password|number|url)$/;
