import { ASK_QUESTION } from '#contract/casting-calls.ts';
import { SEND_MESSAGE } from '#contract/chat-calls.ts';
import { pathOf } from '#contract/path.ts';
import { getChatLane, type SendPatch } from '#db/patches.ts';
import type { OutboxRow } from '#db/rows.ts';
import { sentMessage } from './sent-message.ts';
import { clientIdOf, jsonRequest } from './build-request.ts';
import { INTENT_REFUSALS, type Operation } from './operation.ts';
import { parseData } from './parse-answer.ts';
import { getName } from './record-words.ts';

const getMessageText = ({ patch }: Pick<OutboxRow<SendPatch>, 'patch'>): string => patch.message;

/** Sends a message with text, a photo or both. A question about an audition is a message too: it opens the conversation that it belongs to. */
export const sendMessage: Operation<SendPatch> = {
  kind: 'send',
  lane: ({ parent }) => getChatLane(String(parent)),
  slot: 'json',
  makesTarget: true,
  needsProbe: true,
  endpoint: ({ patch }) => (patch.audition_id ? ASK_QUESTION : SEND_MESSAGE),
  buildRequest(row, { endpoint, server }) {
    const [photo] = row.deps;
    const upload = photo === undefined ? {} : server.getUploadFields(photo);
    // Never send a message without its photo: it would not be the message that the user wrote.
    if (upload === null) return Promise.resolve(null);
    const { name: _name, audition_id: id, ...fields } = row.patch;
    const sent = id ? { text: fields.message } : { conversation_id: row.parent, ...fields, ...upload };
    const path = pathOf(endpoint, id ? { id } : {});
    return Promise.resolve(jsonRequest(endpoint.method, path, { ...sent, client_id: clientIdOf(row.target) }));
  },
  parseAnswer: parseData,
  describe: ({ patch }) => `Message to ${getName(patch)}`,
  icon: 'message',
  summarize: (row) => getMessageText(row) || 'Photo',
  getText: getMessageText,
  about: 'message',
  refusals: () => INTENT_REFUSALS,
  async acknowledge(row, { record }, { db, putMessages }) {
    // `putMessages` also deletes the row. A live event may have done so before this response.
    await putMessages([await sentMessage(db, row, record)]);
    return 'ended';
  },
};
