import { describe, expect, test } from 'vitest';
import { addProfile } from './support/people.ts';
import { useTestServer } from './support/test-server.ts';

const testServer = useTestServer({ env: { ALLOWED_ORIGINS: 'https://app.callboard.example', MAX_PHOTO_MB: '12' } });

describe('GET /config', () => {
  test('returns what this server supports', async () => {
    expect((await testServer.call('GET /config')).body).toEqual({
      pusher: {
        key: expect.stringMatching(/^\w{32}$/) as string,
        cluster: 'ap2',
        host: null,
        port: null,
        tls: null,
        changes_channel: true,
      },
      limits: {
        // Apps from before the limits of each kind take this for the limit of every file.
        max_upload_mb: 10,
        max_storage_mb: 5000,
        media: {
          image: { most: 10, endings: ['.jpg', '.jpeg', '.png'], max_mb: 12 },
          video: { most: 6, endings: ['.mp4', '.avi', '.mov', '.webm'], max_mb: 500 },
          audio: { most: 6, endings: ['.mp3', '.m4a', '.wav', '.aac', '.ogg'], max_mb: 50 },
          document: { most: 6, endings: ['.doc', '.docx', '.pdf'], max_mb: 10 },
        },
      },
      features: { idempotency_keys: true, versions: true, client_ids: true, uploads: true, sync: true },
      uploads: { direct: false, part_bytes: 8 * 1024 * 1024 },
    });
  });
});

describe('headers', () => {
  test('restrict what a page may load in every response', async () => {
    for (const path of ['GET /config', 'GET /user', 'GET /nope.js', 'POST /login']) {
      const { headers } = await testServer.call(path);
      const policy = headers['content-security-policy'] ?? '';
      expect(policy).toContain("default-src 'self'");
      expect(policy).toContain("script-src 'self';");
      const [frames, ...others] = policy.split('; ').sort((a) => (a.startsWith('frame-src') ? -1 : 1));
      expect(frames).toBe('frame-src https://www.youtube-nocookie.com');
      expect(others.join('; ')).not.toMatch(/unsafe-|https?:|\*/);
      expect(headers['x-content-type-options']).toBe('nosniff');
      expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  test('let the app itself record, and nothing that it frames', async () => {
    const { headers } = await testServer.call('GET /config');
    expect(headers['permissions-policy']).toBe('camera=(self), microphone=(self), geolocation=(), payment=(), usb=()');
  });

  test('let the worker that finishes takes run its encoder, and no other file', async () => {
    const policyOf = async (path: string) => (await testServer.call(`GET ${path}`)).headers['content-security-policy'];
    const policy = await policyOf('/assets/later-take-finisher-B7xK2p9Q.js');
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval';");
    expect(policy).toContain("worker-src 'self' blob:;");
    for (const path of ['/assets/later-other-B7xK2p9Q.js', '/later-take-finisher-B7xK2p9Q.js', '/booth']) {
      expect(await policyOf(path)).not.toMatch(/wasm|worker-src [^;]*blob/);
    }
  });

  test('allow cross-origin requests only from allowed origins', async () => {
    const ask = (origin: string) => testServer.call('GET /config', { headers: { origin } });
    const allowed = await ask('https://app.callboard.example');
    expect(allowed.headers['access-control-allow-origin']).toBe('https://app.callboard.example');
    expect(allowed.headers.vary).toContain('Origin');
    expect((await ask('https://elsewhere.example')).headers['access-control-allow-origin']).toBeUndefined();
    const preflight = await testServer.call('OPTIONS /skills', {
      headers: { origin: 'https://app.callboard.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-headers']).toContain('Idempotency-Key');
  });
});

describe('XSRF', () => {
  test('sets the cookie when it is missing', async () => {
    const first = await testServer.call('GET /config');
    expect(String(first.headers['set-cookie'])).toMatch(/^XSRF-TOKEN=[\w-]{24}; Path=\/; SameSite=Lax$/);
    const again = await testServer.call('GET /config', { headers: { cookie: 'XSRF-TOKEN=abc' } });
    expect(again.headers['set-cookie']).toBeUndefined();
  });

  test('sets the same cookie for concurrent requests of a signed-in app', async () => {
    const { token } = await testServer.join();
    const calls = await Promise.all(
      ['GET /user', 'GET /config', 'GET /user'].map((call) => testServer.call(call, { token })),
    );
    expect(new Set(calls.map(({ headers }) => headers['set-cookie'])).size).toBe(1);
  });

  test('rejects only writes whose header and cookie differ', async () => {
    const { token } = await testServer.join();
    const write = (headers: Record<string, string>) => testServer.call('POST /logout', { token, headers });
    expect((await write({ cookie: 'a=b; XSRF-TOKEN=abc', 'x-xsrf-token': 'abd' })).status).toBe(419);
    expect((await testServer.call('GET /user', { token })).status).toBe(200);
    expect((await write({ cookie: 'XSRF-TOKEN=a%3D', 'x-xsrf-token': 'a=' })).status).toBe(200);
  });
});

describe('profile visibility', () => {
  test('shows the date of birth to the owner only and the day rate to signed-in people', async () => {
    const owner = await testServer.join();
    const stranger = await testServer.join();
    const { id } = await addProfile(testServer, owner);
    await testServer.call('PUT /profile/update', {
      token: owner.token,
      body: { dob: '1994-08-17', per_day: 18_000.5 },
    });
    const view = async (token?: string) => {
      const { body } = await testServer.call(`GET /profile/details/${id}`, { token });
      return { dob: body.dob, per_day: body.per_day };
    };
    expect(await view(owner.token)).toEqual({ dob: '1994-08-17', per_day: 18_000.5 });
    expect(await view(stranger.token)).toEqual({ dob: null, per_day: 18_000.5 });
    expect(await view()).toEqual({ dob: null, per_day: null });
  });

  test('lists own profiles first, then other active ones, in pages without gaps or repeats', async () => {
    const me = await testServer.join();
    await addProfile(testServer, me, 0);
    await addProfile(testServer, me, 1);
    for (let n = 0; n < 5; n += 1) {
      const other = await testServer.join();
      await addProfile(testServer, other);
      if (n === 2) await testServer.call('PUT /profile/update', { token: other.token, body: { status: 'inactive' } });
    }
    const seen: { id: string; user_id: string; status: string }[] = [];
    let cursor: string | undefined;
    do {
      const page = await testServer.call<typeof seen>(`GET /profiles/all?limit=2${cursor ? `&cursor=${cursor}` : ''}`, {
        token: me.token,
      });
      seen.push(...page.body);
      cursor = page.headers['x-next-cursor'];
    } while (cursor);
    const { rows } = await testServer.database.pool.query(
      "select count(*)::int as n from profiles where status = 'active' or user_id = $1",
      [me.id],
    );
    expect(seen.slice(0, 2).map((profile) => profile.user_id)).toEqual([me.id, me.id]);
    expect(seen.slice(2).every((profile) => profile.user_id !== me.id && profile.status === 'active')).toBe(true);
    expect(new Set(seen.map((profile) => profile.id)).size).toBe(seen.length);
    expect(seen).toHaveLength(rows[0].n);
  });
});

describe('GET /openapi.json', () => {
  interface Operation {
    operationId: string;
    parameters: { name: string; in: string; required: boolean; schema: object }[];
    requestBody?: { content: Record<string, { schema: object }> };
    responses: Record<string, { description: string }>;
  }

  test('declares every path parameter, resolves every reference and has unique operation ids', async () => {
    const { body, text } = await testServer.call<{
      openapi: string;
      paths: Record<string, Record<string, Operation>>;
      components: object;
    }>('GET /openapi.json');
    expect(body.openapi).toBe('3.1.0');
    const operations = Object.entries(body.paths).flatMap(([path, verbs]) =>
      Object.entries(verbs).map(([verb, operation]) => ({ path, verb, ...operation })),
    );
    expect(operations.length).toBeGreaterThan(20);
    expect(new Set(operations.map((operation) => operation.operationId)).size).toBe(operations.length);
    for (const { path, verb, parameters, responses, requestBody } of operations) {
      const parts = [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
      expect(parameters.filter((parameter) => parameter.in === 'path').map((parameter) => parameter.name)).toEqual(
        parts,
      );
      expect(Object.keys(responses).some((status) => status.startsWith('2'))).toBe(true);
      expect(Object.values(responses).every((response) => response.description.length > 0)).toBe(true);
      if (verb === 'get') expect(requestBody).toBeUndefined();
    }
    for (const [, name] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      expect(body.components).toHaveProperty(['schemas', name ?? '']);
    }
  });

  test('describes a credit with its validation rules', async () => {
    const { body } = await testServer.call<{ paths: Record<string, Record<string, Operation>> }>('GET /openapi.json');
    const schema = body.paths['/profile/experience']?.post?.requestBody?.content['application/json']?.schema;
    expect(schema).toMatchObject({
      type: 'object',
      properties: {
        experience_type: { enum: ['Theatre', 'Movie', 'TV', 'Video', 'Cinema'] },
        start_month: { maximum: 12 },
      },
      required: expect.arrayContaining(['profile_id', 'experience_type', 'details']),
    });
  });

  test('describes request and response of the media calls', async () => {
    const { body } = await testServer.call<{ paths: Record<string, Record<string, Operation>> }>('GET /openapi.json');
    const contentOf = (path: string, verb: string) => body.paths[path]?.[verb]?.requestBody?.content ?? {};
    const forms = contentOf('/submit/media-form', 'post');
    expect(Object.keys(forms)).toEqual(['multipart/form-data', 'application/json']);
    const kinds = (forms['multipart/form-data']?.schema as { anyOf: { properties: object }[] }).anyOf;
    expect(kinds.map(({ properties }) => properties)).toEqual([
      expect.objectContaining({
        media_type: expect.objectContaining({ const: 'image' }),
        'files[]': expect.anything(),
      }),
      expect.objectContaining({ media_type: expect.objectContaining({ const: 'video' }), director: expect.anything() }),
      expect.objectContaining({
        media_type: expect.objectContaining({ const: 'audio' }),
        voice_age: expect.anything(),
      }),
      expect.objectContaining({ media_type: expect.objectContaining({ const: 'document' }), name: expect.anything() }),
    ]);
    expect(contentOf('/media/upload', 'post')['multipart/form-data']?.schema).toMatchObject({
      properties: { 'files[]': { items: { format: 'binary' } }, youtube_urls: {} },
    });
    expect(contentOf('/media/{id}', 'put')['application/json']?.schema).toMatchObject({
      properties: { is_primary: { type: 'boolean' }, voice_age: {}, position: {} },
    });
    expect(body.paths['/storage/{file_path}']?.get?.parameters.map(({ name }) => name)).toEqual([
      'file_path',
      'expires',
      'reader',
      'signature',
    ]);
    expect(body.paths['/media/validate']?.post?.responses['422']).toMatchObject({
      content: { 'application/json': { schema: { properties: { status: {}, errors: {} } } } },
    });
  });
});

describe('server error', () => {
  test('returns a message and the request id without details', async () => {
    const { token } = await testServer.join();
    await testServer.database.pool.query('alter table sync_records rename to elsewhere');
    const answer = await testServer.call('GET /sync', { token });
    await testServer.database.pool.query('alter table elsewhere rename to sync_records');
    expect(answer.status).toBe(500);
    expect(Object.keys(answer.body).sort()).toEqual(['message', 'request_id']);
    expect(answer.body.request_id).toBe(answer.headers['x-request-id']);
    expect(answer.text).not.toMatch(/sync_records|relation|select|at /i);
  });
});
