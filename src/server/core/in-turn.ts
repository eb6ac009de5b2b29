/** Runs pieces of work with the same key one after the other, within this process. */
export type InTurn = <Result>(key: string, work: () => Promise<Result>) => Promise<Result>;

export function createInTurn(): InTurn {
  const last = new Map<string, Promise<unknown>>();
  return async (key, work) => {
    const run = (last.get(key) ?? Promise.resolve()).then(work, work);
    last.set(key, run);
    try {
      return await run;
    } finally {
      if (last.get(key) === run) last.delete(key);
    }
  };
}
