import type { FastifyRequest } from 'fastify';

/** The raw value of a cookie, or undefined when the request has none of that name. */
export function getCookie({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string | undefined {
  for (const part of (headers.cookie ?? '').split(';')) {
    const [key, ...value] = part.trim().split('=');
    if (key === name) return value.join('=');
  }
  return undefined;
}
