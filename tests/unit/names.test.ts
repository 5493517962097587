import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const FOLDERS = ['contract', 'src', 'server', 'tests', 'bench', 'scripts'];

/**
 * Words of an earlier, private vocabulary, each with the word to use. A word counts as one part of a camelCase,
 * snake_case or kebab-case name, in any case. Add a word once the last identifier with it is gone.
 */
const REPLACED_WORDS: Readonly<Record<string, string>> = {
  birth: 'created',
  canary: 'pendingWorkMarker',
  complain: 'sendError',
  cure: 'resolution, resolve',
  cures: 'resolutions',
  deed: 'actionText',
  dice: 'prng',
  fate: 'outcome',
  fates: 'outcomes',
  guise: 'runAs',
  mend: 'retry with edits',
  mender: 'resolver',
  oracle: 'invariants',
  pauses: 'rate limits',
  rarely: 'conflictTools',
  roster: 'presenceList',
  stir: 'touch',
  wish: 'intent',
  wished: 'intended',
  wishes: 'intents',
  workbench: 'UploadContext',
  world: 'simulation',
};

/** Whole identifiers of that vocabulary whose words have other, ordinary meanings. */
const REPLACED_NAMES: Readonly<Record<string, string>> = {
  asChange: 'toUpdate',
  asRows: 'parseRows',
  attachedTo: 'findAttaching',
  basisOf: 'getMergeBase',
  Bond: 'ConnectionState',
  bondOf: 'getConnectionState',
  bondWith: 'readConnectionState',
  bornAt: 'readStoreCreatedAt',
  chatLanes: 'listChatLanes',
  deedOf: 'getActionText',
  depsOf: 'loadDeps',
  distrustAnswers: 'invalidateInFlightAcks',
  dropFarewell: 'dropPendingSignOut',
  endRow: 'acknowledgeMessage',
  endSent: 'acknowledgeMessages',
  facesOf: 'getPersonSummaries',
  Farewell: 'PendingSignOut',
  FewOf: 'MediaPreview',
  FoldInput: 'PendingInput',
  forgetFile: 'deleteFile',
  guardedRead: 'retryReadOnStorageLoss',
  hearReceipt: 'receiveReceipt',
  homeOf: 'getHomeType',
  inTurn: 'mutex',
  isBare: 'isBasic',
  isOfMessage: 'isMessageOrUpload',
  isOfStorage: 'isStorageFailure',
  JSON_PLACES: 'JSON_SLOTS',
  KeptOnPurpose: 'OfflineStorageCard',
  laneOf: 'getLane',
  lateEngine: 'lazyEngine',
  listsOf: 'getLists',
  liveNotes: 'live outbox',
  messagesToRead: 'countToRead',
  mirrorOf: 'readMirror',
  MOST_FOUND: 'MAX_FOUND',
  MOST_READS: 'MAX_READS',
  MOST_TRIES: 'MAX_TRIES',
  nameRecord: 'assignServerId',
  networkOf: 'readNetwork',
  NewsItem: 'NotificationItem',
  newsItems: 'listNotifications',
  NewsRow: 'NotificationRow',
  noteDraft: 'saveDraft',
  noteWatchers: 'recordForWatchers',
  oneAtATime: 'coalesceRuns',
  oneStep: 'isContiguous',
  onLost: 'onConnectionLost',
  ownerType: 'getOwnerType',
  Paged: 'PageTools',
  partAt: 'messageWindow',
  pauseForQuiet: 'startRateLimit',
  pendingOf: 'toPendingMessage',
  placeOf: 'getSlot',
  playLives: 'playRuns',
  poke: 'wake',
  pullTies: 'pullConnections',
  putNewer: 'applyRecord',
  quietAskedMs: 'getRequestedWaitMs',
  quietForMs: 'idleTimeoutMs',
  quietLeftMs: 'getRateLimitMs',
  quietTransport: 'limitTransport',
  readFarewells: 'readPendingSignOuts',
  readPast: 'advanceReadCursor',
  readUpTo: 'getReadSeq',
  requestOf: 'buildRequest',
  RETRY_PARKED_MS: 'RETRY_ATTENTION_MS',
  roomFor: 'capacityFor',
  rowsOfHome: 'getRowsOfHome',
  savedLane: 'getSavedLane',
  savedMarks: 'readAllSaved',
  savedStanding: 'readSaved',
  saveState: 'getSaveState',
  seesRow: 'canViewRow',
  sendFarewells: 'sendSignOuts',
  sendsOf: 'getSends',
  seqOf: 'getSeq',
  setOf: 'findSetSection',
  settleRow: 'applyResult',
  ShowAll: 'ShowMore',
  Slate: 'ProfileFacts',
  starLane: 'getStarLane',
  StepContext: 'CommitContext',
  StorageTrouble: 'StorageError',
  Tagged: 'TaggedList',
  tellingOf: 'getDecidingRow',
  tellOnce: 'publish',
  Tied: 'ConnectionStatus',
  tieOf: 'toConnectionView',
  useBoard: 'useOwnProfile',
  useGivenFiles: 'useDropAndPaste',
  useMadeAddress: 'useObjectUrl',
  usePace: 'useTransferRate',
  versionOf: 'getVersion',
  viewOf: 'toConversationView',
  Visited: 'CachedProfilePage',
  waitsIn: 'findWaiting',
  watchNews: 'watchLiveEvents',
  wholeChat: 'parseWholeChat',
  withNewest: 'keepNewest',
  Workbench: 'UploadContext',
};

/** Names that are stored as data, with the reason. */
const STORED_NAMES: Readonly<Record<string, string>> = {
  cure: 'an act in the plans of tests/sync/replayed.json',
};

/** Splits `fooBar`, `FOO_BAR`, `foo-bar.ts` and `HTTPServer` into lowercase words. */
const splitWords = (name: string): string[] =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);

function findReplacement(name: string): string | undefined {
  if (Object.hasOwn(STORED_NAMES, name)) return undefined;
  if (Object.hasOwn(REPLACED_NAMES, name)) return REPLACED_NAMES[name];
  const word = splitWords(name).find((each) => Object.hasOwn(REPLACED_WORDS, each));
  return word === undefined ? undefined : REPLACED_WORDS[word];
}

/** Finds files that may contain a replaced name, so that only these are parsed. */
const CANDIDATE = new RegExp(
  [
    ...Object.keys(REPLACED_WORDS).map((word) => {
      const capitalized = word.charAt(0).toUpperCase() + word.slice(1);
      return `(?:(?<![a-z])${word}|${capitalized})(?![a-z])|${word.toUpperCase()}`;
    }),
    `\\b(?:${Object.keys(REPLACED_NAMES).join('|')})\\b`,
  ].join('|'),
);

function listIdentifiers(path: string, text: string): Set<string> {
  const found = new Set<string>();
  const visit = (node: ts.Node): void => {
    if (ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) found.add(node.text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  return found;
}

function listSources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)).replaceAll('\\', '/'));
}

const OWN_PATH = relative(ROOT, import.meta.filename);

it('uses none of the replaced names in identifiers and file names', () => {
  const problems: string[] = [];
  for (const path of FOLDERS.flatMap(listSources).filter((each) => each !== OWN_PATH)) {
    const report = (name: string) => {
      const replacement = findReplacement(name);
      if (replacement !== undefined) problems.push(`${path}: '${name}', use '${replacement}'`);
    };
    for (const part of path.split('/')) report(part);
    const text = readFileSync(join(ROOT, path), 'utf8');
    if (CANDIDATE.test(text)) for (const name of listIdentifiers(path, text)) report(name);
  }
  expect(problems).toEqual([]);
});
