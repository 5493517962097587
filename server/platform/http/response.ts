/** What a handler answers; `body` goes out as JSON, undefined as no content. */
export interface RouteResponse {
  status: number;
  body: unknown;
  headers?: Record<string, string>;
}

export const ok = (body: unknown, headers?: Record<string, string>): RouteResponse => ({ status: 200, body, headers });
export const created = (body: unknown, headers?: Record<string, string>): RouteResponse => ({
  status: 201,
  body,
  headers,
});
