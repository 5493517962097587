const STEP_MS = 100;

/** A point in time that counts only while this process runs. */
export interface Deadline {
  /** Resolves when it has passed. */
  passed: Promise<'passed'>;
  stop: () => void;
}

/**
 * Starts a deadline. A pause of the whole process, for example on an overloaded machine, counts as one step: what has arrived
 * meanwhile is read before the next one. A plain timer would fire first, and take the answer for late.
 */
export function startDeadline(ms: number): Deadline {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<'passed'>((resolve) => {
    let stepsLeft = Math.ceil(ms / STEP_MS);
    timer = setInterval(() => {
      stepsLeft -= 1;
      if (stepsLeft > 0) return;
      clearInterval(timer);
      resolve('passed');
    }, STEP_MS);
  });
  return { passed, stop: () => clearInterval(timer) };
}
