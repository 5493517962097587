import type { MediaFile, MessageRow, MetaRow, MirrorRecord, OutboxRow, CachedProfilePage } from '#db/rows.ts';

/** A file picked on this device; `picture` is the URL of its bytes. */
export type FileFixture = Pick<MediaFile, 'id' | 'state' | 'name'> & { picture: string; offset?: number };

/** The content of the device's store when the app opens. */
export interface StoreContents {
  records?: readonly MirrorRecord[];
  outbox?: readonly Omit<OutboxRow, 'seq'>[];
  messages?: readonly MessageRow[];
  visited?: readonly CachedProfilePage[];
  meta?: readonly MetaRow[];
  files?: readonly FileFixture[];
}

/** One screen of the app in one state. */
export interface Fixture {
  /** The screen. Fixtures of one group are shown side by side. */
  group: string;
  /** The state, in words. */
  state: string;
  /** The path at which the app opens. */
  path: string;
  /** Signed out. */
  isVisitor?: true;
  /** The device's first pull has not finished. */
  isNewDevice?: true;
  stored?: StoreContents;
  /** gone: offline. silent: the server accepts requests and never responds. */
  server?: 'answers' | 'gone' | 'silent';
  /** Responses by method and path, on top of the default ones. Anything else is a 404. */
  answers?: Readonly<Record<string, unknown>>;
  /** Texts to type once the page has loaded, by field label. */
  type?: Readonly<Record<string, string>>;
  /** Names of the elements to click after that, in order. */
  press?: readonly string[];
  /** The disk is full once the page has loaded. */
  isDiskFull?: true;
}

/** Host name of a fixture: each is a separate origin with its own storage. */
export const getHostName = ({ group, state }: Fixture): string =>
  `${group} ${state}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
