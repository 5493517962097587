import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { projectRoot } from '#server/platform/paths.ts';

export const DEPLOY = path.join(projectRoot, 'deploy');

interface Service {
  image: string;
  build?: { context: string; dockerfile: string; target?: string };
  environment?: Record<string, string>;
  volumes?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { test: string[] };
  deploy?: { replicas: number };
  ports?: string[];
  read_only?: boolean;
  cap_drop?: string[];
  cap_add?: string[];
  security_opt?: string[];
  mem_limit?: string;
  networks?: string[];
}

export interface Compose {
  services: Record<string, Service>;
  volumes: Record<string, null>;
  networks: Record<string, { internal?: boolean } | null>;
}

/** Reads deploy/compose.yaml with aliases and merges resolved and variables unresolved. */
export async function readCompose(): Promise<Compose> {
  return parse(await readFile(path.join(DEPLOY, 'compose.yaml'), 'utf8'), { merge: true }) as Compose;
}

/** Returns the names that an operator fills in, read from `.env.example` without the settings of Compose itself. */
export async function readEnvExample(): Promise<string[]> {
  const lines = (await readFile(path.join(DEPLOY, '.env.example'), 'utf8')).split('\n');
  return lines.flatMap((line) => /^(?!COMPOSE_)([A-Z]\w*)=/.exec(line)?.[1] ?? []);
}

/** Returns the settings of a service with the variables replaced by `env`. */
export async function getServiceSettings(
  service: string,
  env: Record<string, string>,
): Promise<Record<string, string>> {
  const { environment = {} } = (await readCompose()).services[service] ?? {};
  const fillIn = (text: string) =>
    text.replace(/\$\{(\w+)(:\?)?\}/g, (_, name: string) => {
      const value = env[name];
      if (value === undefined) throw new Error(`${name} has no value`);
      return value;
    });
  return Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, fillIn(value)]));
}
