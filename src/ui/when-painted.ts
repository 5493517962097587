/** Upper limit, because a page in the background does not paint. */
const MAX_FRAME_MS = 300;

/** Runs `work` once the current changes are painted. Returns a function that cancels it. */
export function whenPainted(work: () => void): () => void {
  let timer = setTimeout(work, MAX_FRAME_MS);
  const frame = requestAnimationFrame(() => {
    clearTimeout(timer);
    timer = setTimeout(work);
  });
  return () => {
    cancelAnimationFrame(frame);
    clearTimeout(timer);
  };
}
