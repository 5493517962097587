/** Summary of several runs of one measurement. */
export interface Spread {
  median: number;
  min: number;
  max: number;
  runs: number;
}

/** A row of the table: the measurement, the bare operation of the same run and the target. */
export interface Figure {
  part: string;
  name: string;
  unit: 'ms' | 'µs' | 'B' | 'KiB' | 'MB' | '/s' | '%' | 'tasks' | 'frames' | 'pulls' | 'posts';
  value: Spread;
  /** The same work without Callboard, or the closest equivalent. */
  peer?: { name: string; value: Spread };
  /** Our value divided by the value of the peer. The median of the ratios of the runs where runs are paired. */
  ratio?: number;
  bar?: Bar;
}

interface Bar {
  /** Whether the bar applies to the value or to the ratio. */
  of: 'value' | 'ratio';
  limit: number;
  side: 'at most' | 'at least';
}

export const atMost = (limit: number): Bar => ({ of: 'value', limit, side: 'at most' });
export const atLeast = (limit: number): Bar => ({ of: 'value', limit, side: 'at least' });
export const ratioAtMost = (limit: number): Bar => ({ of: 'ratio', limit, side: 'at most' });
export const ratioAtLeast = (limit: number): Bar => ({ of: 'ratio', limit, side: 'at least' });

/** Returns the duration in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

/** Returns the smallest value that is at least as large as this share of all values. @param share 0 to 1 */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const value = sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)];
  if (value === undefined) throw new Error('Nothing was measured');
  return value;
}

export const median = (values: readonly number[]) => percentile(values, 0.5);

export function spread(values: readonly number[]): Spread {
  return { median: median(values), min: Math.min(...values), max: Math.max(...values), runs: values.length };
}

/** Summarizes paired runs, in which a slow moment of the machine affects both sides. */
export function paired(
  ours: readonly number[],
  peer: { name: string; runs: readonly number[] },
): Pick<Figure, 'value' | 'peer' | 'ratio'> {
  return {
    value: spread(ours),
    peer: { name: peer.name, value: spread(peer.runs) },
    ratio: median(ours.map((value, at) => value / (peer.runs[at] ?? NaN))),
  };
}

const judged = (figure: Figure) => (figure.bar?.of === 'ratio' ? (figure.ratio ?? NaN) : figure.value.median);

/** Returns true without a bar or when it is met. */
export function isMet(figure: Figure): boolean {
  if (figure.bar === undefined) return true;
  const { side, limit } = figure.bar;
  return side === 'at most' ? judged(figure) <= limit : judged(figure) >= limit;
}

const digits = (value: number) => (Math.abs(value) >= 1000 ? 0 : Math.abs(value) >= 10 ? 1 : 2);
const toText = (value: number) => value.toFixed(digits(value));

function toSpreadText({ median: middle, min, max, runs }: Spread, unit: string): string {
  return runs === 1
    ? `${toText(middle)} ${unit}`
    : `${toText(middle)} ${unit} (${toText(min)} to ${toText(max)}, ${runs} runs)`;
}

function sayBar(bar: Bar, unit: string): string {
  return bar.of === 'ratio' ? `ratio ${bar.side} ${bar.limit}` : `${bar.side} ${bar.limit} ${unit}`;
}

const HEAD = ['', 'measured', 'beside it', 'ratio', 'bar', ''];

function cells(figure: Figure): string[] {
  const { name, value, unit, peer, ratio, bar } = figure;
  return [
    name,
    toSpreadText(value, unit),
    peer ? `${peer.name}: ${toSpreadText(peer.value, unit)}` : '',
    ratio === undefined ? '' : toText(ratio),
    bar ? sayBar(bar, unit) : '',
    bar ? (isMet(figure) ? 'met' : 'MISSED') : '',
  ];
}

/** Formats the figures as one Markdown table with a heading row for each part. */
export function toTable(figures: readonly Figure[]): string {
  const rows: string[][] = [];
  let part = '';
  for (const figure of figures) {
    if (figure.part !== part) rows.push([`**${figure.part}**`, '', '', '', '', '']);
    part = figure.part;
    rows.push(cells(figure));
  }
  const widths = HEAD.map((head, at) => Math.max(3, head.length, ...rows.map((row) => row[at]?.length ?? 0)));
  const line = (row: string[]) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`;
  const rule = `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`;
  return [line(HEAD), rule, ...rows.map(line)].join('\n');
}
