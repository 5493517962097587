import axios, { AxiosError } from 'axios';
import { buildHeaders, type WireAnswer, type WireRequest, parseBody, buildPayload, type Sender } from './wire.ts';

/**
 * Sends one request with axios and returns the response, whatever its status.
 * @param sender null for a request without a token
 */
export async function exchangeByAxios(
  request: WireRequest,
  sender: Sender | null,
  apiBase: string,
): Promise<WireAnswer> {
  const control = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const restartTimeout = () => {
    clearTimeout(timer);
    timer = setTimeout(() => control.abort(), request.timeoutMs);
  };
  restartTimeout();
  try {
    const url = (sender?.apiBase ?? apiBase) + request.path;
    const response = await axios.request<string>({
      adapter: 'xhr',
      method: request.method,
      url,
      headers: buildHeaders(request, sender),
      data: buildPayload(request),
      responseType: 'text',
      transformRequest: (data: unknown) => data,
      transformResponse: (data: string) => data,
      validateStatus: () => true,
      signal: control.signal,
      onUploadProgress: restartTimeout,
    });
    const { responseURL = '' } = (response.request ?? {}) as { responseURL?: string };
    const requestUrl = new URL(url, location.origin).href;
    return {
      status: response.status,
      header: (name) => (response.headers[name] as string | undefined) ?? null,
      body: parseBody(typeof response.data === 'string' ? response.data : ''),
      redirected: responseURL !== '' && responseURL.split('#')[0] !== requestUrl.split('#')[0],
    };
  } catch (error) {
    if (!(error instanceof AxiosError) && !axios.isCancel(error)) throw error;
    return { status: 0, reason: axios.isCancel(error) ? 'timeout' : 'network' };
  } finally {
    clearTimeout(timer);
  }
}
