import { DrizzleQueryError } from 'drizzle-orm';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { ErrorBody } from '#contract/errors.ts';
import {
  badRequest,
  HttpError,
  notFound,
  unprocessable,
  tooLarge,
  unavailable,
  unsupportedMediaType,
} from '#server/platform/http/errors.ts';
import { getSqlState } from '#server/platform/http/write.ts';

/** SQLSTATE or system codes of a database that is starting, stopping, unreachable or overloaded. */
const UNAVAILABLE = /^(08|57P|53)|^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|55P03|57014)$/;
/** A value that the database rejects. The schemas should have caught it, and it is still the caller's error. */
const BAD_VALUE = /^22/;
/** Foreign key violation: the parent row was deleted concurrently, for example with its account. */
const PARENT_DELETED = '23503';
/** Errors that `pg` throws without a code. */
const CONNECTION_LOST = /^(Connection terminated|timeout exceeded when trying to connect)/;

function fromFramework(error: FastifyError): HttpError | null {
  switch (error.code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return tooLarge();
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return unsupportedMediaType();
  }
  const status = error.statusCode ?? 500;
  if (status === 413) return tooLarge();
  if (status === 415) return unsupportedMediaType();
  return status >= 400 && status < 500 ? badRequest() : null;
}

function fromDatabase(error: unknown): HttpError | null {
  const state = getSqlState(error) ?? '';
  if (UNAVAILABLE.test(state)) return unavailable();
  if (state === PARENT_DELETED) return notFound('record');
  if (BAD_VALUE.test(state)) return unprocessable('Something in this could not be saved. Check it and try again');
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (CONNECTION_LOST.test(cause.message)) return unavailable();
  }
  return null;
}

/** Removes quoted values, in which PostgreSQL and JavaScript repeat what a person typed. */
const withoutValues = (text: string | undefined) => text?.replace(/"[^"]*("|$)/g, '"…"');

/**
 * The part of an error that may be logged. Drizzle's message contains every value of the query, so its cause is logged instead,
 * without quoted values.
 */
function toLoggable(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  const query = error instanceof DrizzleQueryError ? error.query : undefined;
  const { name, message, stack } = error instanceof DrizzleQueryError && error.cause ? error.cause : error;
  return { type: name, code: getSqlState(error), message: withoutValues(message), stack: withoutValues(stack), query };
}

function sendError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const expected = error instanceof HttpError ? error : (fromFramework(error) ?? fromDatabase(error));
  if (expected !== null && expected.status < 500)
    return reply.code(expected.status).headers(expected.headers).send(expected.body);
  request.log.error({ error: toLoggable(error) }, 'request failed');
  const body: ErrorBody = {
    message: expected?.message ?? 'Something went wrong on our side. Try again in a moment',
    request_id: request.id,
  };
  return reply
    .code(expected?.status ?? 500)
    .headers(expected?.headers ?? {})
    .send(body);
}

/** Sends every error in one envelope, without stack traces or SQL. */
export function handleErrors(app: FastifyInstance): void {
  app.setErrorHandler(sendError);
}
