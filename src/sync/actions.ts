import type { AccountDb } from '#db/database.ts';
import type { DisconnectReason, MessageFields } from '#db/patches.ts';
import type { SavedCards, SavedType } from '#db/saved-and-connected.ts';
import type { MediaFile } from '#db/rows.ts';
import type { ConversationToggle } from '#db/toggles.ts';
import type { EnginePorts } from './engine-ports.ts';
import type { ImportOptions, PickedFile } from './files/import.ts';
import { setAvatar } from './operations/set-avatar.ts';
import type { NewMedia } from './queue/attach-file.ts';
import type { Act, CandidatePlace, NewCandidates, NewQuestion, NewTape } from './queue/casting.ts';
import type { Person } from './queue/connections.ts';
import type { FirstRow } from './queue/create-profile.ts';
import { discardAll } from './queue/discard-all.ts';
import type { SeenNotification } from './queue/mark-seen.ts';
import { type Recipient, sendMessage } from './queue/messages.ts';
import * as outbox from './queue/outbox.ts';
import type { Refused } from './queue/resolutions.ts';
import type { Writer } from './write-once.ts';

type Values = outbox.Values;

/**
 * The actions of a user. Each one resolves when the change is on disk and throws StorageError when the device could not
 * store it. The engine sends the change later. `op` identifies the queued change.
 */
export function createActions(db: AccountDb, ports: EnginePorts, { save, write }: Writer) {
  /** Loads the code before the write begins, because its transaction ends while nothing reads or writes. */
  const whenLoaded =
    <Code>(load: () => Promise<Code>) =>
    async <T>(act: (code: Code, queue: outbox.OutboxPorts) => Promise<T>): Promise<T> => {
      const code = await load();
      return write((queue) => act(code, queue));
    };
  // Few starts of the app need these, so their code is not part of what every start loads.
  const loadImport = () => import('./files/import.ts');
  const resolve = whenLoaded(() => import('./queue/resolutions.ts'));
  const withNewProfile = whenLoaded(() => import('./queue/create-profile.ts'));
  const withSeen = whenLoaded(() => import('./queue/mark-seen.ts'));
  const withToggles = whenLoaded(() => import('./queue/toggles.ts'));
  const withPeople = whenLoaded(() => import('./queue/connections.ts'));
  const withCasting = whenLoaded(() => import('./queue/casting.ts'));
  const withFile = whenLoaded(() => import('./queue/attach-file.ts'));
  return {
    /** Saves a new record. */
    create: (type: string, parent: string | null, fields: Values) =>
      write((queue) => outbox.create(queue, type, parent, fields)),
    /** Saves several new records of one type, all of them or none. `files`: ids of the stored files that each of them names. */
    createAll: (type: string, parent: string, records: readonly Values[], files?: readonly string[]) =>
      withCasting(({ createAll }, queue) => createAll(queue, type, parent, records, files)),
    /** Saves a new profile and its first rows, all of them or none. */
    createProfile: (fields: Values, rows: readonly FirstRow[]) =>
      withNewProfile(({ createProfile }, queue) => createProfile(queue, fields, rows)),
    /**
     * Saves changed fields only. For a section with a single value (about me), `id` is the profile's.
     * @param seen the values that the user saw, if a form was open meanwhile: one that another device has changed since is
     * not overwritten without a question
     */
    update: (type: string, id: string, changed: Values, seen?: Values) =>
      write((queue) => outbox.update(queue, type, id, changed, seen)),
    /** Queues a delete that can be undone for five seconds. */
    remove: (type: string, id: string) => write((queue) => outbox.remove(queue, type, id)),
    /** Cancels a delete. False when it was sent already. */
    undo: (op: string) => write((queue) => outbox.undo(queue, op)),

    /** Stores a picked file; resolves when every byte is on disk. */
    async importFile(file: PickedFile, options?: ImportOptions): Promise<MediaFile> {
      return (await loadImport()).importFile(db, ports, file, options);
    },
    /** Removes a stored file that no change refers to. */
    async dropFile(mediaId: string): Promise<void> {
      const { dropFile } = await loadImport();
      return save(() => dropFile(db, mediaId));
    },
    /** Queues stored files and links to YouTube videos as portfolio items, all of them or none. */
    addMedia: (profileId: string, items: readonly NewMedia[]) =>
      withFile(({ addMedia }, queue) => addMedia(queue, profileId, items)),
    /** Queues a stored file as the photo of a profile. */
    setAvatar: (profileId: string, mediaId: string) =>
      withFile(({ attachFile }, queue) =>
        attachFile(queue, setAvatar, { type: 'profile', profileId, mediaId, patch: {} }),
      ),

    /** Saves a profile or a media item, or removes it from Saved. The last intent wins. */
    setSaved: <T extends SavedType>(type: T, card: SavedCards[T], isSaved: boolean) =>
      withToggles(({ setSaved }, queue) => setSaved(queue, type, card, isSaved)),
    /** Stars a conversation, or switches another of its toggles. The last intent wins. */
    setConversationToggle: (toggle: ConversationToggle, conversation: { id: string; name: string }, isOn: boolean) =>
      withToggles(({ setConversationToggle }, queue) => setConversationToggle(queue, toggle, conversation, isOn)),
    /** Requests a connection to a person. */
    connect: (person: Person, message?: string) => withPeople(({ connect }, queue) => connect(queue, person, message)),
    /** Accepts a person's connection request. */
    accept: (person: Person, connectionId: string) =>
      withPeople(({ accept }, queue) => accept(queue, person, connectionId)),
    /**
     * Withdraws or declines a request, ends a connection, or blocks. All but a block can be undone for five seconds.
     */
    disconnect: (person: Person, reason: DisconnectReason, connectionId: string | null) =>
      withPeople(({ disconnect }, queue) => disconnect(queue, person, reason, connectionId)),
    /** Queues a message behind the earlier ones. `photo`: the id of a stored file; the text may then be empty. */
    sendMessage: (to: Recipient, fields: MessageFields, photo?: string) =>
      write((queue) => sendMessage(queue, to, fields, photo)),
    /** Does something with a record of casting, such as answering a request. */
    act: (what: Act) => withCasting(({ act }, queue) => act(queue, what)),
    /** Puts performers on the shortlist of a role. Those who are on it stay where they are. */
    addCandidates: (added: NewCandidates) => withCasting((code, queue) => code.addCandidates(queue, added)),
    /** Moves cards of shortlists, all of them or none. */
    moveCandidates: (places: readonly CandidatePlace[]) =>
      withCasting((code, queue) => code.moveCandidates(queue, places)),
    /** Queues a tape: stored files, and what they are called. */
    sendTape: (tape: NewTape) => withCasting(({ sendTape }, queue) => sendTape(queue, tape)),
    /** Queues a question about an audition. */
    askQuestion: (question: NewQuestion) => withCasting(({ askQuestion }, queue) => askQuestion(queue, question)),
    /** Marks notifications as seen. */
    markSeen: (seen: readonly SeenNotification[]) => withSeen(({ markSeen }, queue) => markSeen(queue, seen)),

    /** Sends a refused change again, with the user's corrections. */
    retryWithEdits: (refused: Refused, fields: Values, seen?: Values) =>
      resolve(({ retryWithEdits }, queue) => retryWithEdits(queue, refused, fields, seen)),
    /** Replaces a refused file with a smaller or different one. */
    replaceFile: (op: string, mediaId: string) => resolve(({ replaceFile }, queue) => replaceFile(queue, op, mediaId)),
    /** Sends a file that waits for Wi-Fi over any connection. */
    sendOnAnyNetwork: (mediaId: string) => resolve((code, queue) => code.sendOnAnyNetwork(queue, mediaId)),
    /** Resolves a conflict, field by field. */
    resolveConflict: (op: string, choice: Record<string, 'mine' | 'theirs'>) =>
      resolve(({ resolveConflict }, queue) => resolveConflict(queue, op, choice)),
    /** Creates a record again that another device deleted. */
    recreate: (op: string) => resolve(({ recreate }, queue) => recreate(queue, op)),
    /** Sends a change that needs attention again, unchanged. */
    sendAgain: (op: string) => resolve(({ sendAgain }, queue) => sendAgain(queue, op)),
    /** Checks whether a change that may have been received is on the server. */
    checkIfSent: (op: string) => resolve(({ checkIfSent }, queue) => checkIfSent(queue, op)),
    /** Discards a change. */
    discard: (op: string) => resolve(({ discard }, queue) => discard(queue, op)),
    /** Discards all unsent changes. */
    discardAll: () => save(() => discardAll(db)),
  };
}

export type Actions = ReturnType<typeof createActions>;
