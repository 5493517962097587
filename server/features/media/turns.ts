/** Lets at most `places` of the given works run at once; the others wait in the order they came. */
export function takeTurns(places: number) {
  const waiting: (() => void)[] = [];
  let free = places;

  return async function run<T>(work: () => Promise<T>): Promise<T> {
    if (free > 0) free -= 1;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
