/** The response of a handler. `body` is sent as JSON; undefined sends an empty body. */
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
/** A success with nothing to say. */
export const noContent = (): RouteResponse => ({ status: 204, body: undefined });
