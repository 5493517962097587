import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import type { DescribedRoute } from './route.ts';

type Json = Record<string, unknown>;

const schemaOf = (schema: z.ZodMiniType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' });
  return rest;
};

/** Path parts as OpenAPI writes them. */
const templateOf = (path: string) => path.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}');

/** The parts of a path are text, whatever they name. */
function pathParameters(path: string): Json[] {
  const names = [...templateOf(path).matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
  return names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
}

function queryParameters(schema: z.ZodMiniType | undefined): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(schema, 'input') as {
    properties?: Record<string, Json>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, inner]) => ({
    name,
    in: 'query',
    required: required.includes(name),
    schema: inner,
  }));
}

const refusal = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
});

/** What can go wrong with a call, by what it takes. */
function refusalsOf(route: DescribedRoute): Json {
  const isWrite = route.method !== 'GET' && route.method !== 'HEAD';
  const hasInput = route.body !== undefined || route.query !== undefined;
  return {
    ...(route.audience !== 'public' && { 401: refusal('Not signed in, or signed out') }),
    ...(isWrite && route.audience === 'required' && { 403: refusal('Belongs to someone else') }),
    ...((route.params ?? route.body) && { 404: refusal('Does not exist, or is not visible to the caller') }),
    ...(isWrite && {
      409: refusal('The same Idempotency-Key is still in progress'),
      412: refusal('Changed on another device'),
    }),
    ...(hasInput && { 422: refusal('Messages by field') }),
    429: refusal('Too many requests; see Retry-After'),
  };
}

const contentOf = (types: readonly string[], schema: Json): Json =>
  Object.fromEntries(types.map((type) => [type, { schema }]));

function operationOf(route: DescribedRoute): Json {
  const answers = Object.entries(route.responses).map(([status, schema]) => [
    status,
    {
      description: Number(status) >= 400 ? 'Refused' : Number(status) === 201 ? 'Created' : 'Done',
      ...(schema && { content: { 'application/json': { schema: schemaOf(schema, 'output') } } }),
    },
  ]);
  const bodyTypes = route.bodyTypes ?? ['application/json'];
  return {
    operationId: `${route.method.toLowerCase()}${route.path.replace(/\W+(\w)?/g, (_, letter: string | undefined) => letter?.toUpperCase() ?? '')}`,
    summary: route.summary,
    security:
      route.audience === 'required' ? [{ bearer: [] }] : route.audience === 'optional' ? [{}, { bearer: [] }] : [],
    parameters: [...pathParameters(route.path), ...queryParameters(route.query)],
    ...(route.body && {
      requestBody: { required: true, content: contentOf(bodyTypes, schemaOf(route.body, 'input')) },
    }),
    responses: { ...refusalsOf(route), ...(Object.fromEntries(answers) as Json) },
  };
}

function documentOf(routes: DescribedRoute[]): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = templateOf(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operationOf(route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Callboard', version: '1' },
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Refusal: {
          type: 'object',
          required: ['message'],
          properties: {
            message: { type: 'string' },
            errors: { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } },
            request_id: { type: 'string' },
            data: {},
          },
        },
      },
    },
  };
}

/** GET /openapi.json: every call, from the schemas that validate it. Made once, when first asked for. */
export function describeApi(app: FastifyInstance): void {
  let document: Json | null = null;
  app.get('/openapi.json', async () => (document ??= documentOf(app.describedRoutes)));
}
