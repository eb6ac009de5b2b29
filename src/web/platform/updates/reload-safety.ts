import { connectionPhase } from '../connection/connection.ts';
import { createStore } from '../create-store.ts';
import { findBusyReason, setBusyProbe } from './busy.ts';
import { mayReload } from './reload.ts';
import type { ReloadSafety } from './update-machine.ts';

/** Milliseconds without input after which the customer counts as idle. Reading counts as use. */
const IDLE_AFTER = 30_000;

const lastInput = createStore(Number.NEGATIVE_INFINITY);

/** How safe a reload into `target` is now. Never safe for a release that this tab has already reloaded for. */
export function findReloadSafety(target: string, reloadedFor: string | null): ReloadSafety {
  return {
    isSafe: reloadedFor !== target && mayReload('version', target),
    isIdle: isIdle(),
    // A notice could cover a code that is being scanned.
    isAnnounced: connectionPhase.get() === 'available' && document.querySelector('[data-gate-code]') === null,
  };
}

/** Why another tab's update, which reloads this tab too, must wait. A customer who is reading objects as well. */
export function findObjection(): string | null {
  return findBusyReason() ?? (isIdle() ? null : 'page in use');
}

/** Starts to track input and the state of the page. `isWriting` returns true while a mutation is pending. */
export function watchPage(isWriting: () => boolean): void {
  setBusyProbe(() => {
    if (isWriting()) return 'something being sent';
    if (document.querySelector('dialog[open]') !== null) return 'a dialog open';
    return isTyping(document.activeElement) ? 'something being typed' : null;
  });
  for (const type of ['pointerdown', 'keydown', 'wheel', 'touchmove']) {
    window.addEventListener(type, () => lastInput.set(performance.now()), { capture: true, passive: true });
  }
}

function isIdle(): boolean {
  return document.visibilityState === 'hidden' || performance.now() - lastInput.get() > IDLE_AFTER;
}

function isTyping(element: Element | null): boolean {
  if (element instanceof HTMLTextAreaElement) return element.value !== '';
  return element instanceof HTMLInputElement && TYPED.test(element.type) && element.value !== '';
}

const TYPED = /^(text|email|tel|search|password|number|url)$/;
