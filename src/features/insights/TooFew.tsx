/** In place of a chart. @param whom 'people name a day rate' */
export function TooFew({ whom }: { whom: string }) {
  return <p className="text-sm text-muted">Figures begin where five {whom}.</p>;
}
