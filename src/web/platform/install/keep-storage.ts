import { sessionStore } from '../session/session.ts';

/**
 * Asks the browser once not to clear what is saved here when the device runs out of room: in the installed app,
 * where the browser grants it without a question, and as soon as there is somebody's data to keep.
 */
export function keepStorage(): void {
  if (sessionStore.get().isAuthenticated) {
    void askToKeep();
    return;
  }
  const stop = sessionStore.subscribe(() => {
    if (!sessionStore.get().isAuthenticated) return;
    stop();
    void askToKeep();
  });
}

async function askToKeep(): Promise<void> {
  // Absent outside secure contexts; refused, nothing is worse than before.
  const { storage } = navigator as Partial<Navigator>;
  try {
    if ((await storage?.persisted?.()) === false) await storage?.persist();
  } catch {
    // An answer that never comes to be is a refusal.
  }
}
