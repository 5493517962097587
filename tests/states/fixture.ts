import type { MediaFile, MessageRow, MetaRow, MirrorRecord, OutboxRow, Visited } from '#db/rows.ts';

/** A file picked on this device: `picture` is the address of the bytes that it stands for. */
export type FileFixture = Pick<MediaFile, 'id' | 'state' | 'name'> & { picture: string; offset?: number };

/** What lies in the store of the person's device when the app opens. */
export interface StoreContents {
  records?: readonly MirrorRecord[];
  outbox?: readonly Omit<OutboxRow, 'seq'>[];
  messages?: readonly MessageRow[];
  visited?: readonly Visited[];
  meta?: readonly MetaRow[];
  files?: readonly FileFixture[];
}

/** One screen of the app in one state. */
export interface Fixture {
  /** The screen: fixtures of one group stand beside each other. */
  group: string;
  /** The state, in words. */
  state: string;
  /** Where the app opens. */
  path: string;
  /** Nobody is signed in. */
  isVisitor?: true;
  /** The device has not heard from the server yet. */
  isNewDevice?: true;
  stored?: StoreContents;
  /** gone: no signal. silent: the server takes what it is sent and never answers. */
  server?: 'answers' | 'gone' | 'silent';
  /** What the server answers, by method and path; 404 for everything else but what every scene needs. */
  answers?: Readonly<Record<string, unknown>>;
  /** What is typed once the page is there, by the label of its field. */
  type?: Readonly<Record<string, string>>;
  /** Names of what is pressed after that, one after the other. */
  press?: readonly string[];
  /** The disk takes nothing more from the moment the page is there. */
  isDiskFull?: true;
}

/** A host name for a scene: each is a site of its own, with storage of its own. */
export const getHostName = ({ group, state }: Fixture): string =>
  `${group} ${state}`
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
