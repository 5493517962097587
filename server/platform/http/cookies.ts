import type { FastifyRequest } from 'fastify';

/** The value of a cookie as it was sent; undefined where it was not. */
export function getCookie({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string | undefined {
  for (const part of (headers.cookie ?? '').split(';')) {
    const [key, ...value] = part.trim().split('=');
    if (key === name) return value.join('=');
  }
  return undefined;
}
