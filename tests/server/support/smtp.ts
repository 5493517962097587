import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';

/** A mail as the server has received it. */
export interface ReceivedMail {
  from: string;
  to: string[];
  raw: string;
  parsed: ParsedMail;
}

export interface TestSmtp {
  url: string;
  port: number;
  mails: ReceivedMail[];
  close: () => Promise<void>;
}

/** A refusal with its SMTP code. */
export const refusal = (responseCode: number): Error =>
  Object.assign(new Error('Refused by the test'), { responseCode });

/** Opens a real mail server. Without other options it takes every mail, without TLS and without a password. */
export async function openSmtp(options: SMTPServerOptions = {}): Promise<TestSmtp> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData: (stream, session, done) => {
      void buffer(stream).then(async (bytes) => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: bytes.toString(),
          parsed: await simpleParser(bytes),
        });
        done();
      });
    },
    ...options,
  });
  // A client that ends the connection early is part of some tests.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}?tls=off`,
    port,
    mails,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
