/** Storage may be full, blocked or missing (private modes, embedded views, prerendering). Reads then return null. */
export function readStored(key: string, area: StorageArea = 'localStorage'): string | null {
  if (typeof document === 'undefined') return null;
  try {
    return window[area].getItem(key);
  } catch {
    return null;
  }
}

/** Null if nothing is stored, or what is stored is not JSON. */
export function readStoredJson(key: string, area?: StorageArea): unknown {
  try {
    return JSON.parse(readStored(key, area) ?? 'null');
  } catch {
    return null;
  }
}

export function writeStored(key: string, value: string, area: StorageArea = 'localStorage'): boolean {
  try {
    window[area].setItem(key, value);
    return true;
  } catch {
    return false;
  }
}

export function removeStored(key: string, area: StorageArea = 'localStorage'): void {
  try {
    window[area].removeItem(key);
  } catch {
    // Nothing was stored.
  }
}

/** Deletes everything this tab stored, except the named keys. */
export function clearTabStorage({ except }: { except: readonly string[] }): void {
  try {
    for (const key of Object.keys(window.sessionStorage))
      if (!except.includes(key)) removeStored(key, 'sessionStorage');
  } catch {
    // Storage is not available.
  }
}

type StorageArea = 'localStorage' | 'sessionStorage';
