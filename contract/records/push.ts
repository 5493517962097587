import * as z from 'zod/mini';
import { PUSH_KIND_NAMES, type PushKindName } from '../push-kind-names.ts';

const yesOrNo = z.boolean({ error: 'Use true or false' });
const timeOfDay = z
  .string({ error: 'Use a time such as 22:00' })
  .check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: 'Use a time such as 22:00' }));

const kindShape = Object.fromEntries(PUSH_KIND_NAMES.map((name) => [name, yesOrNo])) as Record<
  PushKindName,
  typeof yesOrNo
>;
const kinds = z.object(kindShape);
const TIME_ZONE_LENGTH = 64;
const timeZone = z
  .string({ error: 'Use the name of a time zone' })
  .check(z.maxLength(TIME_ZONE_LENGTH, { error: 'Use the name of a time zone' }));
const quiet = z.nullable(
  z
    .object(
      {
        from: timeOfDay,
        to: timeOfDay,
        /** IANA name of where they were set: by its clock, mail of a person without devices for pushes waits. */
        time_zone: z.optional(timeZone),
      },
      { error: 'Use two times, or null' },
    )
    .check(z.refine(({ from, to }) => from !== to, { error: 'Use two different times' })),
);

/** Which pushes a person wants, and when. The same on all their devices. */
export const pushSettings = z.object({
  kinds,
  /** Pushes of these hours, by the clock of the device, arrive together at their end. Null: at any time. */
  quiet,
  /** Whether pushes say neither names nor what it is about in detail. */
  hide_names: yesOrNo,
});
export type PushSettings = z.infer<typeof pushSettings>;
/** What is absent stays as it is. */
export const changePushSettings = z.object({
  kinds: z.optional(z.partial(kinds)),
  quiet: z.optional(quiet),
  hide_names: z.optional(yesOrNo),
});
export type PushSettingsChange = z.infer<typeof changePushSettings>;

const ENDPOINT_LENGTH = 2000;
const endpoint = z
  .string({ error: 'Send the address of the push service' })
  .check(
    z.maxLength(ENDPOINT_LENGTH, { error: 'Send the address of the push service', abort: true }),
    z.url({ protocol: /^https$/, error: 'Send the address of the push service' }),
  );
/** Base64url, with or without its padding. The first byte says that the point is not compressed. */
const publicKey = z
  .string({ error: 'Send the keys of the subscription' })
  .check(z.regex(/^B[\w-]{86}=?$/, { error: 'Send the keys of the subscription' }));
const sharedSecret = z
  .string({ error: 'Send the keys of the subscription' })
  .check(z.regex(/^[\w-]{22}(==)?$/, { error: 'Send the keys of the subscription' }));

/** What the browser returns for a subscription, and where the device is. */
export const subscribeBody = z.object({
  endpoint,
  keys: z.object({ p256dh: publicKey, auth: sharedSecret }, { error: 'Send the keys of the subscription' }),
  /** IANA name of the device's time zone, for the quiet hours. */
  time_zone: z.optional(timeZone),
});
export type SubscribeBody = z.infer<typeof subscribeBody>;
export const unsubscribeBody = z.object({ endpoint });

export const pushRecord = z.object({
  /** What browsers subscribe with; null if this server sends no pushes. */
  public_key: z.nullable(z.string()),
  settings: pushSettings,
  /** Whether this device is subscribed. */
  subscribed: z.boolean(),
});
export type PushRecord = z.infer<typeof pushRecord>;

/** The ids of pushes that this device has shown. */
export const pushesSeenBody = z.object({
  ids: z
    .array(z.uuid({ error: 'Send the ids of pushes' }), { error: 'Send a list of ids' })
    .check(z.maxLength(200, { error: 'Send 200 or fewer' })),
});

/** The way of a push, in order. The device itself knows the first two. */
export const PUSH_HOPS = ['permission', 'worker', 'subscription', 'our server', 'push service', 'arrived'] as const;
export const pushTestRecord = z.object({
  /** Null if the test could not begin. */
  id: z.nullable(z.string()),
  hops: z.array(
    z.object({
      hop: z.literal(PUSH_HOPS),
      /** Null while it is not known. */
      ok: z.nullable(z.boolean()),
      words: z.string(),
    }),
  ),
});
export type PushTestRecord = z.infer<typeof pushTestRecord>;
export type PushHop = PushTestRecord['hops'][number];
