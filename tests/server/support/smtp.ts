import type { AddressInfo, Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { simpleParser, type ParsedMail } from 'mailparser';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';

/** A mail as the server has received it. */
export interface ReceivedMail {
  /** Who signed in to the mail server; '' without a password. */
  user: string;
  from: string;
  to: string[];
  raw: string;
  parsed: ParsedMail;
}

export interface TestSmtp {
  url: string;
  port: number;
  mails: ReceivedMail[];
  /** Ends all connections without a word. */
  hangUp: () => void;
  close: () => Promise<void>;
}

/** A refusal with its SMTP code. */
export const refusal = (responseCode: number): Error =>
  Object.assign(new Error('Refused by the test'), { responseCode });

interface Options extends SMTPServerOptions {
  /** Runs between the receipt of a mail and the answer to it. */
  onReceived?: (session: SMTPServerSession) => Promise<void>;
  /** Runs once the answer has been written. */
  onAnswered?: (session: SMTPServerSession) => void;
}

/** Opens a real mail server. Without other options it takes every mail, without TLS and without a password. */
export async function openSmtp({ onReceived, onAnswered, ...options }: Options = {}): Promise<TestSmtp> {
  const mails: ReceivedMail[] = [];
  const server = new SMTPServer({
    disabledCommands: ['STARTTLS', 'AUTH'],
    logger: false,
    onData: (stream, session, done) => {
      const receive = async (bytes: Buffer) => {
        const { mailFrom, rcptTo } = session.envelope;
        mails.push({
          user: session.user ?? '',
          from: mailFrom === false ? '' : mailFrom.address,
          to: rcptTo.map(({ address }) => address),
          raw: bytes.toString(),
          parsed: await simpleParser(bytes),
        });
        await onReceived?.(session);
        done();
        onAnswered?.(session);
      };
      // A client that was killed in the middle has sent no mail.
      void buffer(stream).then(receive, () => undefined);
    },
    ...options,
  });
  // A client that ends the connection early is part of some tests.
  server.on('error', () => {});
  const sockets = new Set<Socket>();
  server.server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}?tls=off`,
    port,
    mails,
    hangUp: () => {
      for (const socket of sockets) socket.destroy();
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
