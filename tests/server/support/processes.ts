import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { afterAll } from 'vitest';
import { projectRoot } from '#server/platform/paths.ts';

/** Processes of one script that a test starts and kills. */
export interface Processes {
  /** @param env settings of the process, beside those of the test */
  start(env: Record<string, string>): ChildProcess;
  /** Kills a process in the middle of what it does, and waits until it is gone. */
  kill(child: ChildProcess): Promise<void>;
  /** Kills every process that still runs. Also done after the tests of the file. */
  killAll(): Promise<void>;
}

/** Prepares processes of a script. @param script its name in this folder */
export function useProcesses(script: string): Processes {
  const running = new Set<ChildProcess>();
  const processes: Processes = {
    start(env) {
      const child = spawn(process.execPath, ['--import', 'tsx', path.join(import.meta.dirname, script)], {
        cwd: projectRoot,
        env: { ...process.env, ...env },
        stdio: ['ignore', 'inherit', 'inherit'],
      });
      running.add(child);
      return child;
    },
    async kill(child) {
      running.delete(child);
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
    async killAll() {
      await Promise.all([...running].map((child) => processes.kill(child)));
    },
  };
  afterAll(processes.killAll);
  return processes;
}
