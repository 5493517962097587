/**
 * Returns which cards take the full width of the two-column grid: the wide ones, and a short one without a neighbor.
 * @param wide one entry per card, in order
 */
export function fillRows(wide: readonly boolean[]): boolean[] {
  const full = [...wide];
  let at = 0;
  while (at < full.length) {
    if (full[at]) at += 1;
    else if (at + 1 < full.length && !full[at + 1]) at += 2;
    else {
      full[at] = true;
      at += 1;
    }
  }
  return full;
}
