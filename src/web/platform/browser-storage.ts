/** Storage may be full, blocked or absent (private modes, embedded views, prerender): then nothing is kept. */
export function readStored(key: string, area: StorageArea = 'localStorage'): string | null {
  try {
    return globalThis[area].getItem(key);
  } catch {
    return null;
  }
}

export function writeStored(key: string, value: string, area: StorageArea = 'localStorage'): boolean {
  try {
    globalThis[area].setItem(key, value);
    return true;
  } catch {
    return false;
  }
}

export function removeStored(key: string, area: StorageArea = 'localStorage'): void {
  try {
    globalThis[area].removeItem(key);
  } catch {
    // Nothing was kept, so nothing is left.
  }
}

type StorageArea = 'localStorage' | 'sessionStorage';
