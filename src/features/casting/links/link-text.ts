import type { LinkItem } from '#db/casting-links.ts';
import { lowerFirst, momentText, spanText } from '#lib/deadline.ts';
import { count } from '#lib/text.ts';

const ENDED_BY = {
  owner: 'Revoked',
  'wrong codes': 'Ended after too many wrong codes',
  restore: 'Ended because the server was restored from a backup',
} as const;

/** Whether a link shows its tapes to whoever has it, as far as this device knows. */
export const isWorking = ({ serverId, body }: LinkItem, now: number): boolean =>
  serverId !== null && body.revoked_at === null && Date.parse(body.expires_at) > now;

/** One line about a link: whether it works, and until when. */
export function linkStateText(link: LinkItem, now: number): string {
  const { body, serverId } = link;
  const end = Date.parse(body.expires_at);
  if (body.revoked_at !== null) {
    if (body.revoked_by === null) return 'To be revoked. It works until this has been sent';
    return `${ENDED_BY[body.revoked_by]} ${lowerFirst(momentText(Date.parse(body.revoked_at), now))}`;
  }
  if (end <= now) return `Expired ${lowerFirst(momentText(end, now))}`;
  const until = lowerFirst(momentText(end, now));
  if (serverId === null) return `Works once it has been sent, until ${until}`;
  const closed = body.closed_until === null ? 0 : Date.parse(body.closed_until);
  if (closed > now) return `Closed for ${spanText(closed - now)} after too many wrong codes`;
  return `Works until ${until}`;
}

/** '5 min', 'less than a minute', 'nothing watched' */
function minutesText(seconds: number): string {
  if (seconds === 0) return 'nothing watched';
  return seconds < 60 ? 'less than a minute watched' : `${Math.floor(seconds / 60)} min watched`;
}

/** 'Today, 14:02, 5 min watched' */
export const openingText = ({ at, seconds }: LinkItem['body']['openings'][number], now: number): string =>
  `${momentText(Date.parse(at), now)}, ${minutesText(seconds)}`;

/** 'Opened 3 times' */
export const openedText = ({ opened }: LinkItem['body']): string => `Opened ${count(opened, 'time')}`;
