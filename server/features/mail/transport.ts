import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTransport } from 'nodemailer';
import type { Config } from '#server/platform/config.ts';
import { JobError } from '#server/platform/jobs/failure.ts';
import type { RenderedMail } from './layout.ts';

/** A mail with its envelope. */
export interface OutgoingMail extends RenderedMail {
  /** With angle brackets. */
  messageId: string;
  kind: string;
  to: string;
  /** The link in it; '' if it has none. */
  url: string;
  /** Where a mail program switches off mails like this one, without a question (RFC 8058). */
  stopUrl?: string | undefined;
}

export interface Mailer {
  /** Hands the mail over. @throws MailRefused when no further attempt can succeed, JobError when one may */
  send: (mail: OutgoingMail) => Promise<void>;
  close: () => void;
}

/** The mail server refuses this recipient or this mail for good. */
export class MailRefused extends Error {
  override name = 'MailRefused';
  /** For example '550'. */
  readonly code: string;
  /** Whether it refuses the address, and not the text. */
  readonly isAboutRecipient: boolean;

  constructor(code: string, isAboutRecipient: boolean) {
    super(`The mail server refused it with ${code}`);
    this.code = code;
    this.isAboutRecipient = isAboutRecipient;
  }
}

/** How long a mail server may take to accept a connection and to greet. For each of its answers it has three times as long. */
const SILENCE_MS = 10_000;
/** Answers about this server's own password or TLS, or about a session in the wrong state. The mail waits until that is repaired. */
const OWN_FAULTS = new Set([503, 530, 534, 535, 538]);

interface SendError {
  code?: string;
  /** The answer of the mail server. */
  responseCode?: number;
  /** What it answered. */
  command?: string;
}

function toSendError(error: unknown): Error {
  const { code = 'unknown', responseCode, command } = error as SendError;
  // Refusals of the sender, the encryption or the password concern every mail.
  const isAboutRecipient = command === 'RCPT TO';
  const isAboutMail = isAboutRecipient || code === 'EMESSAGE';
  if (isAboutMail && responseCode !== undefined && responseCode >= 500 && !OWN_FAULTS.has(responseCode)) {
    return new MailRefused(String(responseCode), isAboutRecipient);
  }
  return new JobError(responseCode === undefined ? code : `${code} ${responseCode}`, 'the mail server');
}

const toStopHeaders = (url: string) => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

const toMessage = ({ messageId, to, subject, text, html, stopUrl }: OutgoingMail, from: string) => ({
  messageId,
  from,
  to,
  subject,
  text,
  html,
  headers: { 'Auto-Submitted': 'auto-generated', ...(stopUrl !== undefined && toStopHeaders(stopUrl)) },
  disableFileAccess: true,
  disableUrlAccess: true,
});

function openSmtp({ url, from }: NonNullable<Config['smtp']>, silenceMs: number): Mailer {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url);
  const isTls = protocol === 'smtps:';
  const isPlain = searchParams.get('tls') === 'off';
  const transport = createTransport({
    pool: true,
    maxConnections: 2,
    host: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: Number(port) || (isTls ? 465 : 587),
    secure: isTls,
    requireTLS: !isTls && !isPlain,
    ignoreTLS: isPlain,
    // Also where the settings of Node allow older versions. The certificate must be valid for the host.
    tls: { minVersion: 'TLSv1.2' },
    ...(username !== '' && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: silenceMs,
    greetingTimeout: silenceMs,
    socketTimeout: 3 * silenceMs,
  });
  return {
    send: async (mail) => {
      await transport.sendMail(toMessage(mail, from)).catch((error: unknown) => {
        throw toSendError(error);
      });
    },
    close: () => transport.close(),
  };
}

/** Writes each mail to a file, for an installation without a mail server. @param print tells the person at the terminal; absent without one */
function openFolder({ dataDir }: Config, print?: (text: string) => void): Mailer {
  const folder = path.join(dataDir, 'mail');
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'unix' });
  return {
    send: async (mail) => {
      const { message } = await transport.sendMail(toMessage(mail, 'Callboard <callboard@localhost>'));
      await mkdir(folder, { recursive: true, mode: 0o700 });
      const time = new Date().toISOString().replace(/[-:]/g, '').replace('T', '-').slice(0, 15);
      // The random part of the id: a repeated attempt overwrites its own file.
      const id = mail.messageId.replace(/[^\w]/g, '').slice(1, 9);
      const file = path.join(folder, `${time}-${mail.kind}-${id}.eml`);
      await writeFile(file, message as Buffer, { mode: 0o600 });
      print?.(`Mail to ${mail.to}: ${mail.subject}${mail.url && `\n  ${mail.url}`}`);
    },
    close: () => {},
  };
}

interface Options {
  /** Tells the person at the terminal; absent without one. */
  print?: ((text: string) => void) | undefined;
  silenceMs?: number;
}

/** Opens the mail server of SMTP_URL; without one, mails are files in `DATA_DIR/mail`. */
export const openMailer = (config: Config, { print, silenceMs = SILENCE_MS }: Options = {}): Mailer =>
  config.smtp === undefined ? openFolder(config, print) : openSmtp(config.smtp, silenceMs);
