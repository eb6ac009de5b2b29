/**
 * Asks the browser not to clear what is saved here when the device runs out of room: in the installed app, where the
 * browser grants it without a question, and where tickets are kept also of who has no account.
 */
export async function keepStorage(): Promise<void> {
  // Absent outside secure contexts; refused, nothing is worse than before.
  const { storage } = navigator as Partial<Navigator>;
  try {
    if ((await storage?.persisted?.()) === false) await storage?.persist();
  } catch {
    // An answer that never comes to be is a refusal.
  }
}
