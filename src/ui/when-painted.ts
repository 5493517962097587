/** A page in the background paints nothing, milliseconds. */
const MAX_FRAME_MS = 300;

/** Runs `work` once what was just drawn is on the screen. The answer calls it off. */
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
