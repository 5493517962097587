import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { REFUSAL_REASONS } from '#contract/errors.ts';
import type { DescribedRoute } from './route.ts';

type Json = Record<string, unknown>;

const toJsonSchema = (schema: z.ZodMiniType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' });
  return rest;
};

/** A route path in OpenAPI notation. */
const toPathTemplate = (path: string) => path.replace(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}');

/** Path parameters are strings, also when they hold ids. */
function pathParameters(path: string): Json[] {
  const names = [...toPathTemplate(path).matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
  return names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } }));
}

function queryParameters(schema: z.ZodMiniType | undefined): Json[] {
  if (schema === undefined) return [];
  const { properties = {}, required = [] } = toJsonSchema(schema, 'input') as {
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

const errorResponse = (description: string) => ({
  description,
  content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
});

/** Error responses that a route can give, derived from its inputs. */
function getErrorResponses(route: DescribedRoute): Json {
  const isWrite = route.method !== 'GET' && route.method !== 'HEAD';
  const hasInput = route.body !== undefined || route.query !== undefined;
  return {
    ...(route.audience !== 'public' && { 401: errorResponse('Not signed in, or signed out') }),
    ...(isWrite && route.audience === 'required' && { 403: errorResponse('Belongs to someone else') }),
    ...((route.params ?? route.body) && { 404: errorResponse('Does not exist, or is not visible to the caller') }),
    ...(isWrite && {
      409: errorResponse(
        'Something stands in its way; with Retry-After: the same Idempotency-Key is still in progress',
      ),
      412: errorResponse('Changed on another device'),
    }),
    ...(hasInput && { 422: errorResponse('Messages by field') }),
    429: errorResponse('Too many requests; see Retry-After'),
  };
}

const toContent = (types: readonly string[], schema: Json): Json =>
  Object.fromEntries(types.map((type) => [type, { schema }]));

function toOperation(route: DescribedRoute): Json {
  const answers = Object.entries(route.responses).map(([status, schema]) => [
    status,
    {
      description: Number(status) >= 400 ? 'Refused' : Number(status) === 201 ? 'Created' : 'Done',
      ...(schema && { content: { 'application/json': { schema: toJsonSchema(schema, 'output') } } }),
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
      requestBody: { required: true, content: toContent(bodyTypes, toJsonSchema(route.body, 'input')) },
    }),
    responses: { ...getErrorResponses(route), ...(Object.fromEntries(answers) as Json) },
  };
}

function buildDocument(routes: DescribedRoute[]): Json {
  const paths: Record<string, Json> = {};
  for (const route of routes) {
    const path = toPathTemplate(route.path);
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: toOperation(route) };
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
            reason: { type: 'string', enum: [...REFUSAL_REASONS] },
            until: { type: ['string', 'null'] },
            request_id: { type: 'string' },
            data: {},
          },
        },
      },
    },
  };
}

/** Serves GET /openapi.json, built from the schemas that validate the routes. Built once, on the first request. */
export function describeApi(app: FastifyInstance): void {
  let document: Json | null = null;
  app.get('/openapi.json', async () => (document ??= buildDocument(app.describedRoutes)));
}
