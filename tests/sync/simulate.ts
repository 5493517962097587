/**
 * `npm run simulate -- --seeds N --from S [--theme 'a portfolio'] [--basic] [--chat] [--casting] [--tally]
 * [--processes N]` plays the engine against simulated faults, by default in one process per processor. `--theme` counts
 * and plays only the seeds of a theme. `--chat` simulates two people who write to each other, `--casting` one who casts
 * and the performers whom they ask. `--basic` simulates a server with the basic API only. A seed that breaks an invariant is shrunk to its smallest plan and printed.
 */
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { loadCasting, playCastings, reportCasting, shrinkCasting } from './casting/search.ts';
import { loadChat, playChats, reportChat, shrinkChat } from './chat/search.ts';
import { loadRunner } from './simulation/bundle.ts';
import { getThemeSeeds } from './simulation/plan.ts';
import { playSeeds, report, shrink, tally, type Found } from './simulation/search.ts';

const childFlag = '--share';

interface Share {
  from: number;
  step: number;
  count: number;
  isBasic: boolean;
  isSealed: boolean;
  story: 'one person' | 'chat' | 'casting';
}
type Result = Omit<Found, 'failures'> & { failures: { seed: number; text: string }[] };

async function playShare(share: Share): Promise<Result> {
  if (share.story === 'casting') return playCastingShare(share);
  return share.story === 'chat' ? playChatShare(share) : playRuns(share);
}

async function playCastingShare({ from, count }: Share): Promise<Result> {
  const runner = await loadCasting(`simulate-casting-${from}`);
  const { failures, ...found } = await playCastings(runner, from, count, { maxFailures: 5 });
  const texts: Result['failures'] = [];
  for (const failed of failures) {
    texts.push({ seed: failed.plan.seed, text: reportCasting(await shrinkCasting(runner, failed)) });
  }
  return { ...found, failures: texts };
}

async function playChatShare({ from, count, isBasic }: Share): Promise<Result> {
  const runner = await loadChat(`simulate-chat-${from}`);
  const { failures, ...found } = await playChats(runner, from, count, { maxFailures: 5, isBasic });
  const texts: Result['failures'] = [];
  for (const failed of failures) {
    texts.push({ seed: failed.plan.seed, text: reportChat(await shrinkChat(runner, failed)) });
  }
  return { ...found, failures: texts };
}

async function playRuns({ from, step, count, isBasic, isSealed }: Share): Promise<Result> {
  const runner = await loadRunner(`simulate-${from}`);
  const { failures, ...found } = await playSeeds(runner, from, count, {
    step,
    isBasic,
    isSealed,
    maxFailures: 5,
    onFailure: (seed, { failure }) => console.error(`seed ${seed}: ${failure?.message}`),
  });
  const texts: Result['failures'] = [];
  for (const failed of failures) texts.push({ seed: failed.plan.seed, text: report(await shrink(runner, failed)) });
  return { ...found, failures: texts };
}

function inProcess(share: Share): Promise<Result> {
  return new Promise((resolve, reject) => {
    const child = fork(fileURLToPath(import.meta.url), [childFlag, JSON.stringify(share)], {
      serialization: 'advanced',
      // The simulation creates many short-lived objects.
      execArgv: [...process.execArgv, '--max-semi-space-size=128'],
    });
    child.once('message', (result) => resolve(result as Result));
    child.once('exit', (code) => reject(new Error(`a child process ended with code ${String(code)}`)));
  });
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      seeds: { type: 'string', default: '2000' },
      from: { type: 'string', default: '1' },
      theme: { type: 'string' },
      basic: { type: 'boolean', default: false },
      chat: { type: 'boolean', default: false },
      casting: { type: 'boolean', default: false },
      tally: { type: 'boolean', default: false },
      processes: { type: 'string', default: String(availableParallelism()) },
    },
  });
  const seeds = Number(values.seeds);
  const theme = values.theme === undefined ? { first: 1, step: 1 } : getThemeSeeds(values.theme);
  const { first, step, isSealed = false } = theme;
  const from = first + (Number(values.from) - 1) * step;
  const processes = Math.min(Number(values.processes), seeds);
  const each = Math.ceil(seeds / processes);
  const started = performance.now();
  const shares = Array.from({ length: processes }, (_, n): Share => ({
    from: from + n * each * step,
    step,
    count: Math.min(each, seeds - n * each),
    isBasic: values.basic,
    isSealed,
    story: values.casting ? 'casting' : values.chat ? 'chat' : 'one person',
  }));
  const results = await Promise.all(shares.filter((share) => share.count > 0).map(inProcess));
  const hits = new Map<string, number>();
  for (const result of results) for (const [what, n] of result.hits) hits.set(what, (hits.get(what) ?? 0) + n);
  const sum = (of: (result: Result) => number) => results.reduce((total, result) => total + of(result), 0);
  const failures = results.flatMap((result) => result.failures);
  for (const { text } of failures) console.log(`${text}\n`);
  if (values.tally) console.log(tally(hits));
  const perSecond = (sum((result) => result.seeds) / (performance.now() - started)) * 1000;
  console.log(
    `${sum((result) => result.seeds)} seeds, ${sum((result) => result.requests)} requests, ` +
      `${sum((result) => result.faults)} faults, ${perSecond.toFixed(1)} seeds/s, ${failures.length} broken` +
      (failures.length > 0 ? `: ${failures.map(({ seed }) => seed).join(', ')}` : ''),
  );
  process.exitCode = failures.length > 0 ? 1 : 0;
}

const [flag, share] = process.argv.slice(2);
if (flag === childFlag) {
  // A run that is stopped leaves no processes behind that play on.
  const stop = () => process.exit(1);
  process.once('disconnect', stop);
  const result = await playShare(JSON.parse(share ?? '') as Share);
  process.off('disconnect', stop);
  // Not before the result has left: the parent may be slow to take a large one.
  process.send?.(result, () => process.disconnect());
} else await main();
