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

/** The database is starting, stopping or cannot be reached, or has no time for us. */
const AWAY = /^(08|57P|53)|^(ECONNREFUSED|ECONNRESET|ENOENT|EPIPE|55P03|57014)$/;
/** A value the database cannot take. The schemas should have caught it; whatever they miss is still the caller's. */
const BAD_VALUE = /^22/;
/** What a row belongs to went away in the same moment: its person deleted their account. */
const GONE = '23503';
/** `pg` says these without a code. */
const LOST = /^(Connection terminated|timeout exceeded when trying to connect)/;

function ofFramework(error: FastifyError): HttpError | null {
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

function ofDatabase(error: unknown): HttpError | null {
  const state = getSqlState(error) ?? '';
  if (AWAY.test(state)) return unavailable();
  if (state === GONE) return notFound('record');
  if (BAD_VALUE.test(state)) return unprocessable('Something in this could not be saved. Check it and try again');
  for (let cause = error; cause instanceof Error; cause = cause.cause) {
    if (LOST.test(cause.message)) return unavailable();
  }
  return null;
}

/** PostgreSQL puts the value it cannot read between quotes: what a person typed. */
const withoutValues = (text: string | undefined) => text?.replace(/"[^"]*("|$)/g, '"…"');

/**
 * What a log may hold of an error. Drizzle's own text repeats every value of the query, so its cause speaks for it, without
 * the values that cause repeats.
 */
function traceOf(error: unknown): object {
  if (!(error instanceof Error)) return { message: String(error) };
  if (error instanceof DrizzleQueryError && error.cause) {
    const { name, message, stack } = error.cause;
    const code = getSqlState(error.cause);
    return { type: name, code, message: withoutValues(message), stack: withoutValues(stack), query: error.query };
  }
  return { type: error.name, code: getSqlState(error), message: error.message, stack: error.stack };
}

function answerError(error: FastifyError, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = error instanceof HttpError ? error : (ofFramework(error) ?? ofDatabase(error));
  if (known !== null && known.status < 500) return reply.code(known.status).headers(known.headers).send(known.body);
  request.log.error({ error: traceOf(error) }, 'request failed');
  const body: ErrorBody = {
    message: known?.message ?? 'Something went wrong on our side. Try again in a moment',
    request_id: request.id,
  };
  return reply
    .code(known?.status ?? 500)
    .headers(known?.headers ?? {})
    .send(body);
}

/** One envelope for everything that goes wrong; never a stack trace or SQL. */
export function answerErrors(app: FastifyInstance): void {
  app.setErrorHandler(answerError);
}
