import https from 'node:https';
import webPush from 'web-push';
import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/db/connect.ts';
import type { PushKind } from '#contract/push-kinds.ts';
import { isAllowedEndpoint } from './endpoint.ts';
import { getVapidKeys } from './keys.ts';

/** Where a push goes. */
export interface PushTarget {
  endpoint: string;
  p256dh: string;
  auth: string;
}

export interface OutgoingPush {
  payload: string;
  ttlS: number;
  urgency: PushKind['urgency'];
  /** A push with the same topic replaces one that the device has not received yet. */
  topic: string;
}

/** What the push service answered: a status, or the code of the error without one. Never its words, which may quote the endpoint. */
export type PushAnswer = { status: number; retryAfterS: number | null } | { status: null; code: string };

export interface PushSender {
  /** Never fails. */
  send: (target: PushTarget, push: OutgoingPush) => Promise<PushAnswer>;
}

/** Includes connecting, sending and the head of the answer: a service that sends a byte now and then cannot hold a job. */
const TIMEOUT_MS = 5000;

interface Options {
  config: Config;
  db: Db;
  /** For tests, whose push service has a certificate of its own. */
  agent?: https.Agent;
}

function readRetryAfter(header: string | undefined): number | null {
  if (header === undefined) return null;
  const seconds = /^\d+$/.test(header) ? Number(header) : (Date.parse(header) - Date.now()) / 1000;
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : null;
}

/** Posts to the push service. Follows no redirects, and reads no more than the head of the answer. */
function post(url: string, headers: Record<string, string>, body: Buffer | null, agent?: https.Agent) {
  return new Promise<PushAnswer>((resolve, reject) => {
    const request = https.request(
      url,
      { method: 'POST', headers, signal: AbortSignal.timeout(TIMEOUT_MS), ...(agent && { agent }) },
      (response) => {
        resolve({ status: response.statusCode ?? 0, retryAfterS: readRetryAfter(response.headers['retry-after']) });
        response.on('error', () => {});
        response.destroy();
      },
    );
    request.on('error', reject);
    request.end(body);
  });
}

/** Opens the way to the push services. Null when this server sends no pushes. */
export function openPushSender({ config: { push }, db, agent }: Options): PushSender | null {
  if (push === undefined) return null;
  return {
    send: async ({ endpoint, p256dh, auth }, { payload, ttlS, urgency, topic }) => {
      // The list may be shorter now than when the device subscribed.
      if (!isAllowedEndpoint(endpoint, push.hosts)) return { status: null, code: 'host' };
      const vapidDetails = { subject: push.subject, ...(await getVapidKeys(db)) };
      const details = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, payload, {
        vapidDetails,
        TTL: ttlS,
        urgency,
        topic,
        contentEncoding: 'aes128gcm',
      });
      const headers = Object.fromEntries(Object.entries(details.headers).map(([name, value]) => [name, String(value)]));
      return post(details.endpoint, headers, details.body, agent).catch((error: unknown) => {
        const { name, code } = error as { name?: string; code?: unknown };
        return { status: null, code: name === 'AbortError' || name === 'TimeoutError' ? 'ETIMEDOUT' : String(code) };
      });
    },
  };
}
