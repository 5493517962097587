import axios, { AxiosError } from 'axios';
import { headersOf, type WireAnswer, type WireRequest, parseBody, payloadOf, type Sender } from './wire.ts';

const PAGE_EXPIRED = 419;

let socketId: () => string | undefined = () => undefined;
/** Tells whose live socket the server may leave out when it sends round what this page writes. */
export function setSocketId(of: () => string | undefined): void {
  socketId = of;
}

/**
 * One request over axios, any status an answer. axios sends the XSRF-TOKEN cookie back as X-XSRF-TOKEN by itself; where
 * the cookie was renewed between the two, the server has done nothing and the request goes again.
 * @param sender null for a call without a token
 */
export async function exchange(request: WireRequest, sender: Sender | null, apiBase: string): Promise<WireAnswer> {
  const answer = await attempt(request, sender, apiBase);
  return answer.status === PAGE_EXPIRED ? attempt(request, sender, apiBase) : answer;
}

async function attempt(request: WireRequest, sender: Sender | null, apiBase: string): Promise<WireAnswer> {
  const control = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = () => {
    clearTimeout(timer);
    timer = setTimeout(() => control.abort(), request.timeoutMs);
  };
  patience();
  try {
    const url = (sender?.apiBase ?? apiBase) + request.path;
    const response = await axios.request<string>({
      adapter: 'xhr',
      method: request.method,
      url,
      headers: { ...headersOf(request, sender), ...(request.method !== 'GET' && { 'x-socket-id': socketId() }) },
      data: payloadOf(request),
      responseType: 'text',
      transformRequest: (data: unknown) => data,
      transformResponse: (data: string) => data,
      validateStatus: () => true,
      signal: control.signal,
      onUploadProgress: patience,
    });
    const { responseURL = '' } = (response.request ?? {}) as { responseURL?: string };
    const asked = new URL(url, location.origin).href;
    return {
      status: response.status,
      header: (name) => (response.headers[name] as string | undefined) ?? null,
      body: parseBody(typeof response.data === 'string' ? response.data : ''),
      redirected: responseURL !== '' && responseURL.split('#')[0] !== asked.split('#')[0],
    };
  } catch (error) {
    if (!(error instanceof AxiosError) && !axios.isCancel(error)) throw error;
    return { status: 0, reason: axios.isCancel(error) ? 'timeout' : 'network' };
  } finally {
    clearTimeout(timer);
  }
}
