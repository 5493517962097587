import { describe, expect, it } from 'vitest';
import type { FieldValues } from '#db/rows.ts';
import { listUnplacedQuestions, readQuestions } from '#db/questions.ts';
import { receiveMessage } from '#sync/pull/messages.ts';
import { sendMessage } from '#sync/queue/messages.ts';
import { askQuestion } from '#sync/queue/questions.ts';
import { discard } from '#sync/queue/resolutions.ts';
import { bodyOf, useSendingDevice } from './sending-device.ts';

const device = useSendingDevice();
const { drain, rows } = device;

const ask = (text: string, auditionId = '3') =>
  askQuestion(device.ports, { auditionId, userId: '8', name: 'Tideline Casting', text });
const putConversation = (id = '5') =>
  device.db.records.put({
    type: 'conversation',
    id,
    parent: null,
    body: {
      conversation_id: id,
      connection_id: `conversation-${id}`,
      last_message: null,
      read_seq: 0,
      other: { user_id: '8', name: 'Tideline Casting' },
    },
    version: null,
  });
/** The message that the server makes of a question. */
const toMessage = (body: FieldValues, seq: number) => ({
  id: `m${seq}`,
  client_id: String(body.client_id),
  conversation_id: '5',
  seq,
  sender_id: 'u1',
  receiver_id: '8',
  message: String(body.text),
  media: null,
  reply_to: null,
  audition_id: '3',
  created_at: '2026-11-20T10:00:00.000Z',
});
/** A server that takes every question. */
function takeQuestions(): void {
  let seq = 0;
  device.answer = (request) => ({
    status: 201,
    body: { message: 'Question sent', data: toMessage(bodyOf(request), (seq += 1)) },
  });
}
const texts = () => device.sent.map((request) => bodyOf(request).text ?? bodyOf(request).message);
const waiting = async () => (await readQuestions(device.db, '3', '8')).pending.map(({ message }) => message);

describe('a question about an audition', () => {
  it('is sent to the audition and becomes a message of the conversation that it opens', async () => {
    await ask('May I play it in Marathi?');
    const [row] = await rows();
    takeQuestions();
    await drain();
    expect(device.sent.map(({ method, path }) => `${method} ${path}`)).toEqual(['POST /auditions/3/question']);
    const client_id = row!.target.slice(2);
    expect(bodyOf(device.sent[0]!)).toEqual({ text: 'May I play it in Marathi?', client_id });
    expect(await rows()).toEqual([]);
    expect(await device.db.messages.toArray()).toMatchObject([
      { conversation_id: '5', seq: 1, audition_id: '3', client_id },
    ]);
  });

  it('is on the page of its audition and among the messages while it waits', async () => {
    await ask('First?');
    await ask('Second?');
    await ask('About another?', '4');
    expect(await waiting()).toEqual(['First?', 'Second?']);
    expect(await listUnplacedQuestions(device.db)).toMatchObject([
      { message: 'First?', audition_id: '3', name: 'Tideline Casting', state: 'phone' },
      { message: 'Second?', audition_id: '3' },
      { message: 'About another?', audition_id: '4' },
    ]);
  });

  it('waits in the conversation that is there already, behind what was written before', async () => {
    await putConversation();
    await sendMessage(
      device.ports,
      { conversationId: '5', userId: '8', name: 'Tideline Casting' },
      { message: 'Hello' },
    );
    await ask('When?');
    expect((await rows()).map(({ lane }) => lane)).toEqual(['chat:5', 'chat:5']);
    expect(await listUnplacedQuestions(device.db)).toEqual([]);
    expect(await waiting()).toEqual(['When?']);
  });

  it('comes after those that still wait for a conversation, also where it is here by now', async () => {
    await ask('First?');
    await putConversation();
    await ask('Second?');
    const lanes = new Set((await rows()).map(({ lane }) => lane));
    expect([...lanes]).toEqual(['chat:audition:3']);
    takeQuestions();
    await drain();
    expect(texts()).toEqual(['First?', 'Second?']);
    await ask('Third?');
    expect((await rows()).map(({ lane }) => lane)).toEqual(['chat:5']);
  });

  it('is acknowledged when a live event brings it before its response', async () => {
    await putConversation();
    await ask('When?');
    const [row] = await rows();
    await receiveMessage(device.ports, toMessage({ client_id: row!.target.slice(2), text: 'When?' }, 1));
    expect(await rows()).toEqual([]);
    const { asked, pending } = await readQuestions(device.db, '3', '8');
    expect([asked.map(({ message }) => message), pending]).toEqual([['When?'], []]);
  });

  it('that is refused says why, and lets the next one go when it is discarded', async () => {
    await ask('First?');
    await ask('Second?');
    device.answer = () => ({ status: 409, body: { message: 'This audition ended more than 30 days ago' } });
    await drain();
    const { pending } = await readQuestions(device.db, '3', '8');
    expect(pending).toMatchObject([
      { state: 'needs', error: { message: 'This audition ended more than 30 days ago' } },
      { state: 'phone' },
    ]);
    await discard(device.ports, pending[0]!.op);
    takeQuestions();
    await drain();
    expect(texts()).toEqual(['First?', 'Second?']);
    expect(await rows()).toEqual([]);
  });

  it('leaves however old it is', async () => {
    await ask('When?');
    device.now += 3 * 86_400_000;
    takeQuestions();
    await drain();
    expect(await rows()).toEqual([]);
  });
});
