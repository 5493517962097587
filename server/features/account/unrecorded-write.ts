import type { FastifyInstance } from 'fastify';
import type { RouteResponse } from '#server/platform/http/response.ts';
import { runWrite, type WriteTransaction } from '#server/platform/http/write.ts';

/** Runs a write transaction with its live events, without storing the response for replay: it may contain a token. */
export async function runUnrecordedWrite(
  app: FastifyInstance,
  work: (transaction: WriteTransaction) => Promise<RouteResponse>,
): Promise<RouteResponse> {
  const { db, clock, live } = app.deps;
  try {
    return await runWrite(db, clock.now, null, work);
  } finally {
    live.wake();
  }
}
