import type { MediaType } from '#contract/media-types.ts';
import type { AccountDb } from '#db/database.ts';
import type { DisconnectReason, MessageFields } from '#db/patches.ts';
import type { SavedCards, SavedType } from '#db/saved-and-connected.ts';
import type { MediaFile } from '#db/rows.ts';
import type { ConversationToggle } from '#db/toggles.ts';
import type { EnginePorts } from './engine-ports.ts';
import { dropFile, importFile, type ImportOptions, type PickedFile } from './files/import.ts';
import { createRecord } from './operations/create-record.ts';
import { setAvatar } from './operations/set-avatar.ts';
import * as connections from './queue/connections.ts';
import { createProfile, type FirstRow } from './queue/create-profile.ts';
import { markSeen } from './queue/mark-seen.ts';
import { type Recipient, sendMessage } from './queue/messages.ts';
import * as outbox from './queue/outbox.ts';
import * as resolutions from './queue/resolutions.ts';
import * as toggles from './queue/toggles.ts';
import type { Writer } from './write-once.ts';

type Values = outbox.Values;

/**
 * What a person can do. Each action resolves when it is on disk, and throws StorageError when the device could not keep it;
 * sending follows by itself. `op` names the queued change.
 */
export function createActions(db: AccountDb, ports: EnginePorts, { save, write }: Writer) {
  return {
    /** Saves a new record. */
    create: (type: string, parent: string | null, fields: Values) =>
      write((queue) => outbox.create(queue, type, parent, fields)),
    /** Saves a new profile and its first rows, all or none. */
    createProfile: (fields: Values, rows: readonly FirstRow[]) => write((queue) => createProfile(queue, fields, rows)),
    /** Saves changed fields only. For a section of one value (about me) `id` is the profile's. */
    update: (type: string, id: string, changed: Values) => write((queue) => outbox.update(queue, type, id, changed)),
    /** Deletes after a hold of five seconds. */
    remove: (type: string, id: string) => write((queue) => outbox.remove(queue, type, id)),
    /** Cancels a delete; false when it has left. */
    undo: (op: string) => write((queue) => outbox.undo(queue, op)),

    /** Stores a picked file; resolves when every byte is on disk. */
    importFile: (file: PickedFile, options?: ImportOptions): Promise<MediaFile> => importFile(db, ports, file, options),
    /** Removes a stored file that no change refers to. */
    dropFile: (mediaId: string) => save(() => dropFile(db, mediaId)),
    /** Queues a stored file as an item of the portfolio. `fields`: its kind's, with `media_type`. */
    addMedia: (profileId: string, mediaId: string, fields: Values & { media_type: MediaType }) =>
      write((queue) => outbox.attachFile(queue, createRecord, { type: 'media', profileId, mediaId, patch: fields })),
    /** Queues a video that is on YouTube. */
    addLink: (profileId: string, fields: Values & { youtube_url: string }) =>
      write((queue) => outbox.create(queue, 'media', profileId, { ...fields, media_type: 'video' })),
    /** Queues a stored file as the portrait of a profile. */
    setAvatar: (profileId: string, mediaId: string) =>
      write((queue) => outbox.attachFile(queue, setAvatar, { type: 'profile', profileId, mediaId, patch: {} })),

    /** Saves a profile or a medium, or removes it from Saved; the last intent counts. */
    setSaved: <T extends SavedType>(type: T, card: SavedCards[T], isSaved: boolean) =>
      write((queue) => toggles.setSaved(queue, type, card, isSaved)),
    /** Stars a conversation, or switches another toggle of it; the last intent counts. */
    setConversationToggle: (toggle: ConversationToggle, conversation: { id: string; name: string }, isOn: boolean) =>
      write((queue) => toggles.setConversationToggle(queue, toggle, conversation, isOn)),
    /** Asks a person to connect. */
    connect: (person: connections.Person, message?: string) =>
      write((queue) => connections.connect(queue, person, message)),
    /** Accepts a person's request to connect. */
    accept: (person: connections.Person, connectionId: string) =>
      write((queue) => connections.accept(queue, person, connectionId)),
    /** Withdraws or declines a request, ends a connection, or blocks; all but a block can be undone for five seconds. */
    disconnect: (person: connections.Person, reason: DisconnectReason, connectionId: string | null) =>
      write((queue) => connections.disconnect(queue, person, reason, connectionId)),
    /** Queues a message behind those before it. `photo`: the id of a stored file; with one there need be no words. */
    sendMessage: (to: Recipient, fields: MessageFields, photo?: string) =>
      write((queue) => sendMessage(queue, to, fields, photo)),
    /** Marks notifications as seen. */
    markSeen: (ids: readonly string[]) => write((queue) => markSeen(queue, ids)),

    /** Sends what the server refused once more, with the person's corrections. */
    retryWithEdits: (refused: resolutions.Refused, fields: Values) =>
      write((queue) => resolutions.retryWithEdits(queue, refused, fields)),
    /** Sends a smaller or other file in place of a refused one. */
    replaceFile: (op: string, mediaId: string) => write((queue) => resolutions.replaceFile(queue, op, mediaId)),
    /** Decides a conflict, field by field. */
    resolveConflict: (op: string, choice: Record<string, 'mine' | 'theirs'>) =>
      write((queue) => resolutions.resolveConflict(queue, op, choice)),
    /** Makes a record again that was deleted on another device. */
    recreate: (op: string) => write((queue) => resolutions.recreate(queue, op)),
    /** Sends a change that needs attention once more, as it is. */
    sendAgain: (op: string) => write((queue) => resolutions.sendAgain(queue, op)),
    /** Looks whether a change that may have arrived is on the server. */
    checkIfSent: (op: string) => write((queue) => resolutions.checkIfSent(queue, op)),
    /** Gives a change up. */
    discard: (op: string) => write((queue) => resolutions.discard(queue, op)),
    /** Gives up everything that waits. */
    discardAll: () => save(() => resolutions.discardAll(db)),
  };
}
