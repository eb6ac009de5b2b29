/**
 * Asks the browser not to evict saved data when the device is low on storage. Only in the installed app, where
 * browsers grant it without a prompt.
 */
export async function keepStorage(): Promise<void> {
  // Missing in insecure contexts.
  const { storage } = navigator as Partial<Navigator>;
  try {
    if ((await storage?.persisted?.()) === false) await storage?.persist();
  } catch {
    // Refused: nothing changes.
  }
}
