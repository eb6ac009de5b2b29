/** Entries that were set last; the oldest are dropped. */
export type Recent<Value> = {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  /** Returns the entry and drops it. */
  take(key: string): Value | undefined;
};

export function createRecent<Value>(limit: number): Recent<Value> {
  const entries = new Map<string, Value>();
  return {
    get: (key) => entries.get(key),
    set(key, value) {
      entries.delete(key);
      entries.set(key, value);
      const [oldest] = entries.keys();
      if (entries.size > limit && oldest !== undefined) entries.delete(oldest);
    },
    take(key) {
      const value = entries.get(key);
      entries.delete(key);
      return value;
    },
  };
}
