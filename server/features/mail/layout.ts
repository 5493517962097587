import type { MailBlock, MailText } from './kind.ts';

/** A mail as it is sent. */
export interface RenderedMail {
  subject: string;
  text: string;
  html: string;
}

const LINE_LENGTH = 72;

/** Breaks a paragraph into lines. A long word, such as a link, stays whole. */
function wrap(paragraph: string): string {
  const lines: string[] = [];
  for (const word of paragraph.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && `${last} ${word}`.length <= LINE_LENGTH) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (found) => ESCAPES[found] ?? '');

const toText = (block: MailBlock) => (typeof block === 'string' ? wrap(block) : `${block.label}:\n${block.url}`);

const PARAGRAPH = 'margin:0 0 16px';
// A color of its own for text and background, so that a mail program in dark mode cannot make one unreadable on the other.
const BUTTON =
  'display:inline-block;padding:12px 22px;border-radius:12px;background-color:#134834;color:#ffffff;font-weight:600;text-decoration:none';

const toHtml = (block: MailBlock) =>
  typeof block === 'string'
    ? `<p style="${PARAGRAPH}">${escapeHtml(block)}</p>`
    : `<p style="${PARAGRAPH}"><a href="${escapeHtml(block.url)}" style="${BUTTON}">${escapeHtml(block.label)}</a></p>`;

/** Renders a mail as plain text and as HTML: one column, no pictures, nothing from another host, readable in light and dark. */
export function renderMail({ subject, blocks }: MailText): RenderedMail {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(subject)}</title>
</head>
<body style="margin:0;padding:24px 16px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,sans-serif;font-size:16px;line-height:1.5">
<div style="max-width:520px;margin:0 auto">
<p style="margin:0 0 24px;font-size:18px;font-weight:700">Callboard</p>
${blocks.map(toHtml).join('\n')}
</div>
</body>
</html>
`;
  return { subject, text: `${blocks.map(toText).join('\n\n')}\n\nCallboard\n`, html };
}
