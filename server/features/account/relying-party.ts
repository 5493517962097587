import type { FastifyInstance, FastifyRequest } from 'fastify';
import { HttpError } from '#server/platform/http/errors.ts';

/** For whom passkeys are made: authenticators show them only to pages of this origin, and sign the origin. */
export interface RelyingParty {
  /** The host; passkeys are bound to it for good. */
  id: string;
  origin: string;
}

const LOCALHOST = 'localhost';

/**
 * Returns the relying party: PUBLIC_URL, or without it this server on localhost. Never what the request says, which a page of another
 * origin could forge by passing it on. Null where passkeys cannot work: browsers refuse them for IP addresses.
 */
export function findRelyingParty(app: FastifyInstance, request: Pick<FastifyRequest, 'hostname'>): RelyingParty | null {
  const { publicUrl, port } = app.deps.config;
  if (publicUrl !== undefined) return { id: new URL(publicUrl).hostname, origin: publicUrl };
  if (request.hostname !== LOCALHOST) return null;
  const address = app.server.address();
  const listening = typeof address === 'object' && address ? address.port : port;
  return { id: LOCALHOST, origin: new URL(`http://${LOCALHOST}:${listening}`).origin };
}

/** @throws 404 where passkeys cannot work; the app then does not offer them */
export function requireRelyingParty(app: FastifyInstance, request: Pick<FastifyRequest, 'hostname'>): RelyingParty {
  const party = findRelyingParty(app, request);
  if (party === null) throw new HttpError(404, { message: 'Passkeys don’t work at this address' });
  return party;
}
