import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { CALLS } from '#contract/calls.ts';
import { loginBody, registerBody, sessionRecord, signedIn, userRecord } from '#contract/records/account.ts';
import { created, ok } from '#server/http/answer.ts';
import { invalid, notFound } from '#server/http/errors.ts';
import { requireId } from '#server/http/ids.ts';
import { LIMIT, networkOf } from '#server/http/limiter.ts';
import { account, actionRoute, everyone, readRoute, writeRoute } from '#server/http/route.ts';
import { said } from '#server/http/schemas.ts';
import { deviceName } from './device.ts';
import { hashPassword, isWellKnown, passwordMatches } from './passwords.ts';
import { addSession, addUser, endSession, presentUser, sessionsOf, userByEmail } from './store.ts';

const WRONG = 'E-mail or password is wrong';

function registerRoute(app: FastifyInstance): void {
  actionRoute(app, {
    endpoint: CALLS.register,
    summary: 'Makes an account and signs the device in',
    access: everyone(),
    body: registerBody,
    answers: { 201: signedIn },
    handler: async ({ body, db, now, request }) => {
      app.deps.limiter.take(LIMIT.registrations, networkOf(request.ip));
      if (isWellKnown(body.password, [body.name, body.email, body.email.split('@')[0] ?? ''])) {
        throw invalid({ password: ['Too many people use this password; choose another'] });
      }
      const passwordHash = await hashPassword(body.password);
      const answer = await db.transaction(async (tx) => {
        const user = await addUser(tx, { name: body.name, email: body.email, passwordHash, createdAt: now });
        if (user === null) throw invalid({ email: ['There is an account with this e-mail already'] });
        const token = await addSession(tx, user.id, deviceName(request.headers['user-agent']), now);
        return { message: 'Welcome to Callboard', token, user: presentUser({ ...user, userId: user.id }) };
      });
      return created(answer);
    },
  });
}

function loginRoute(app: FastifyInstance): void {
  actionRoute(app, {
    endpoint: CALLS.login,
    summary: 'Signs the device in',
    access: everyone(),
    body: loginBody,
    answers: { 200: signedIn },
    handler: async ({ body, db, now, request }) => {
      const { limiter } = app.deps;
      const address = networkOf(request.ip);
      // Counted before the password is looked at, so that many guesses at once cannot slip through together.
      limiter.take(LIMIT.failedSignInsOfAddress, address);
      limiter.take(LIMIT.failedSignInsOfAccount, body.email);
      const user = await userByEmail(db, body.email);
      if (!(await passwordMatches(user?.passwordHash ?? null, body.password)) || user === null) {
        throw invalid({ email: [WRONG] });
      }
      limiter.giveBack(LIMIT.failedSignInsOfAddress, address);
      limiter.giveBack(LIMIT.failedSignInsOfAccount, body.email);
      const token = await addSession(db, user.id, deviceName(request.headers['user-agent']), now);
      return ok({ message: 'Welcome back', token, user: presentUser({ ...user, userId: user.id }) });
    },
  });
}

/** Registration, sign-in and the devices that are signed in. */
export function accountRoutes(app: FastifyInstance): void {
  registerRoute(app);
  loginRoute(app);

  readRoute(app, {
    endpoint: CALLS.user,
    summary: 'Who is signed in',
    access: account(),
    answers: { 200: userRecord },
    handler: async ({ caller }) => ok(presentUser(caller)),
  });

  actionRoute(app, {
    endpoint: CALLS.logout,
    summary: 'Signs the device out; the token dies at once',
    access: account(),
    answers: { 200: said },
    handler: async ({ caller, db }) => {
      await endSession(db, caller.userId, caller.sessionId);
      return ok({ message: 'Signed out' });
    },
  });

  readRoute(app, {
    endpoint: CALLS.sessions,
    summary: 'The signed-in devices of the caller',
    access: account(),
    answers: { 200: z.array(sessionRecord) },
    handler: async ({ caller, db }) => ok(await sessionsOf(db, caller.userId, caller.sessionId)),
  });

  writeRoute(app, {
    endpoint: CALLS.endSession,
    summary: 'Signs another device out',
    access: account(),
    params: z.object({ id: z.string() }),
    answers: { 200: said },
    handler: async ({ caller, params, db }) => {
      const ended = await endSession(db, caller.userId, requireId(params.id, 'session'));
      if (!ended) throw notFound('session');
      return ok({ message: 'The device is signed out' });
    },
  });
}
