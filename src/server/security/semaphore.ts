/** Lets at most `slots` pieces of work run at once; the rest wait their turn, first come first served. */
export function createSemaphore(slots: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let free = slots;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
