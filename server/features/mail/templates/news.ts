import * as z from 'zod/mini';
import { PUSH_KIND_NAMES } from '#contract/push-kind-names.ts';
import { defineMail } from '../kind.ts';
import { describeNews } from '../news-text.ts';

/**
 * Tells a person what is new and reached none of their devices, as numbers only. Names are chosen by strangers, and a mail lies about for
 * years in places that we do not know.
 */
export const NEWS = defineMail({
  name: 'news',
  /** What it is about when it is queued. Judged again when it is sent: see `push/news-mail.ts`. */
  params: z.object({ news: z.array(z.object({ alert: z.uuid(), kind: z.enum(PUSH_KIND_NAMES) })) }),
  switchedBy: 'newsMail',
  compose: ({ news }, { name, home }) => {
    const kinds = news.map(({ kind }) => kind);
    const text = describeNews(kinds);
    return {
      subject: `${new Set(kinds).size === 1 ? text : `${kinds.length} new things`} on Callboard`,
      blocks: [
        `Hello ${name},`,
        `this is new on Callboard: ${text}.`,
        { label: 'Open Callboard', url: `${home}/notifications` },
        'We write because it has reached none of your devices. You can switch off these e-mails in Settings.',
      ],
    };
  },
});
