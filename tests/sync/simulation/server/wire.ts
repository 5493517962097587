import type { RefusalReason } from '#contract/errors.ts';
import { markersIn } from '../markers.ts';
import { sha256, type Body } from './fake-store.ts';

/** A request as it is encoded on the wire. */
export interface ServerRequest {
  method: string;
  path: string;
  headers: Record<string, string>;
  token: string | null;
  body:
    | { kind: 'none' }
    | { kind: 'json'; text: string }
    | { kind: 'bytes'; bytes: Buffer }
    | { kind: 'form'; fields: [string, string][]; files: { field: string; name: string; bytes: Buffer }[] };
}

export interface ServerAnswer {
  status: number;
  headers: Record<string, string>;
  body: unknown;
}

/** Thrown by a route that refuses a request. */
export class Refused extends Error {
  readonly answer: ServerAnswer;
  constructor(status: number, message: string, errors?: Record<string, string[]>, reason?: RefusalReason) {
    super(message);
    this.answer = { status, headers: {}, body: { message, ...(errors && { errors }), ...(reason && { reason }) } };
  }
}

/** Creates a response, by default with status 200. */
export const ok = (body: unknown, status = 200, headers: Record<string, string> = {}): ServerAnswer => ({
  status,
  headers,
  body,
});

/** Returns the markers in the texts of a request. */
export function markersOf(request: ServerRequest): number[] {
  if (request.body.kind === 'json') return markersIn(request.body.text);
  return request.body.kind === 'form' ? markersIn(request.body.fields) : [];
}

/** Parses the fields of a JSON or multipart body. A repeated form field becomes a list. */
export function readFields(request: ServerRequest): Body {
  if (request.body.kind === 'json') {
    try {
      const value: unknown = JSON.parse(request.body.text);
      return typeof value === 'object' && value !== null ? (value as Body) : {};
    } catch {
      throw new Refused(400, 'Not JSON');
    }
  }
  const fields: Body = {};
  if (request.body.kind !== 'form') return fields;
  for (const [name, value] of request.body.fields) {
    const before = fields[name];
    fields[name] =
      before === undefined ? value : [...(Array.isArray(before) ? (before as unknown[]) : [before]), value];
  }
  return fields;
}

/** Returns what two requests with the same idempotency key must have in common. */
export function fingerprintOf(request: ServerRequest): string {
  const { body } = request;
  const parts = [request.method, request.path];
  if (body.kind === 'json') parts.push(body.text);
  if (body.kind === 'bytes') parts.push(sha256(body.bytes));
  if (body.kind === 'form') {
    parts.push(JSON.stringify(body.fields));
    for (const file of body.files) parts.push(file.field, file.name, sha256(file.bytes));
  }
  return parts.join('\n');
}
