/** Where to send a part of a file, and with which headers. */
export interface PartAddress {
  url: string;
  headers: Record<string, string>;
}

/**
 * Sends a part of a file to a server that is not ours. It learns nothing about the user: no token, cookie or referrer.
 * @returns the status of the response; 0 if there was none
 */
export async function putPart({ url, headers }: PartAddress, bytes: ArrayBuffer, timeoutMs: number): Promise<number> {
  try {
    const { status, body } = await fetch(url, {
      method: 'PUT',
      headers,
      body: bytes,
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
      redirect: 'error',
      cache: 'no-store',
      signal: AbortSignal.timeout(timeoutMs),
    });
    // What it says does not matter, and must not hold the connection.
    await body?.cancel();
    return status;
  } catch {
    return 0;
  }
}
