import type { CDPSession } from '@playwright/test';

/** A task of the page's main thread, in milliseconds. */
export interface Task {
  took: number;
  /** How much of it the browser spent collecting garbage. */
  garbage: number;
}

interface TraceEvent {
  name: string;
  pid: number;
  tid: number;
  /** Microseconds. */
  ts: number;
  /** Microseconds; absent for events without a length. */
  dur?: number;
  args: { name?: string };
}

/** 'V8.GC…' are stages of these, and would count twice. */
const COLLECTIONS: readonly string[] = ['MajorGC', 'MinorGC'];

/** The events of the main thread that was busiest: there is one for each page and for each worker's process. */
function getMainThread(events: readonly TraceEvent[]): TraceEvent[] {
  const busiest = events
    .filter(({ name, args }) => name === 'thread_name' && args.name === 'CrRendererMain')
    .map(({ pid, tid }) => events.filter((event) => event.pid === pid && event.tid === tid))
    .toSorted((a, b) => b.length - a.length)[0];
  if (busiest === undefined) throw new Error('The trace has no main thread of a page');
  return busiest;
}

/** The tasks of the page's main thread that take longer than 50 ms while something is done, from the browser's own trace. */
export async function longTasksOf(session: CDPSession, work: () => Promise<void>): Promise<Task[]> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { value: object[] }) => void events.push(...(value as TraceEvent[]));
  session.on('Tracing.dataCollected', collect);
  await session.send('Tracing.start', {
    transferMode: 'ReportEvents',
    traceConfig: { includedCategories: ['toplevel', 'v8'] },
  });
  await work();
  const complete = new Promise((resolve) => session.once('Tracing.tracingComplete', resolve));
  await session.send('Tracing.end');
  await complete;
  session.off('Tracing.dataCollected', collect);
  const main = getMainThread(events);
  const collections = main.filter(({ name }) => COLLECTIONS.includes(name));
  return main
    .filter(({ name, dur = 0 }) => name === 'ThreadControllerImpl::RunTask' && dur > 50_000)
    .map(({ ts, dur = 0 }) => {
      const inside = collections.filter((each) => each.ts >= ts && each.ts < ts + dur);
      return { took: dur / 1000, garbage: inside.reduce((sum, each) => sum + (each.dur ?? 0), 0) / 1000 };
    });
}
