/**
 * Records the store of a device with unsent changes of every kind, as this build leaves it, to `stores/<NAME>.json`:
 * `npm run record-store -- NAME`. Record one for each release that changes what is stored.
 */
import { writeFileSync } from 'node:fs';
import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { AccountDb } from '#db/database.ts';
import type { MediaType } from '#contract/media-types.ts';
import { keepToken } from '#db/casting-links.ts';
import type { Engine } from '#sync/engine.ts';
import { createPrng, mixSeed } from '../simulation/prng.ts';
import { pickedFile } from '../simulation/person/picked-file.ts';
import { createDevice } from './device.ts';
import { CHAT, connect, createScene, describeRecords, IDS, RECORDED_AT, USER } from './scene.ts';
import { readTables, toText } from './store-file.ts';

const [name] = process.argv.slice(2);
if (name === undefined) throw new Error('Give the recording a name, for example the date of the release');

const PARTS = { hasCasting: true, hasTapes: true };
const scene = createScene(PARTS);
const connection = connect(scene);
const db = new AccountDb('recorded', USER, { indexedDB: new IDBFactory(), IDBKeyRange });
const prng = createPrng(mixSeed(1, name));
const engine = createDevice(db, { transport: connection.transport, now: RECORDED_AT, prng });

const to = { conversationId: CHAT, userId: 'u2', name: 'Person u2' };
const profileType = { id: '1', name: 'Actor / Performer', slug: 'actor-performer' };
const cardOf = (id: string) => ({ ...CARD, id });
const CARD = { title: 'Actor', stage_name: 'Stage', location: 'Pune', profile_photo: null, slug: 'stage' };

async function importFile(to: Engine, marker: number, kind: MediaType = 'image'): Promise<string> {
  return (await to.importFile(pickedFile(prng, marker, kind).file)).id;
}

await engine.pull();

// The server refuses a credit, so that it waits for its user.
await engine.create('experience', IDS.profile, { experience_title: 'Paper Boats' });
await engine.drain(60_000);

// The server stores a change whose response gets lost, so that the device does not know.
connection.mode = 'lost';
await engine.update('about_me', IDS.profile, { description: 'I have danced since I was six.' });
await engine.drain(60_000);

// Everything below is written offline.
await engine.update('profile', IDS.profile, { per_day: 22_000, location: 'Mumbai' });
await engine.update('attribute', IDS.profile, { Height: '170', Eyes: 'Brown' });
const award = {
  experience_type: 'Movie',
  details: 'Lead',
  start_month: 1,
  start_year: 2025,
  end_month: 2,
  end_year: 2025,
};
const made = await engine.create('experience', IDS.profile, { ...award, experience_title: 'Monsoon' });
await engine.update('experience', made.id, { details: 'Supporting role' });
await engine.update('experience', IDS.experience, { details: 'Sulbha, the aunt' });
await engine.update('skill', IDS.skill, { level: 4 });
await engine.remove('skill', IDS.otherSkill);
await engine.createProfile({ stage_name: 'Meera Sound', profile_type: profileType }, [
  { type: 'skill', fields: { name: 'Dubbing', level: 2 }, isSet: false },
  { type: 'attribute', fields: { Hair: 'Black' }, isSet: true },
]);
await engine.addMedia(IDS.profile, [
  { mediaId: await importFile(engine, 1), fields: { media_type: 'image', name: 'On the roof' } },
]);
await engine.setAvatar(IDS.profile, await importFile(engine, 2));
await engine.addMedia(IDS.profile, [{ fields: { youtube_url: 'https://youtu.be/aqz-KE-bpKQ', name: 'Trailer' } }]);
await engine.update('media', IDS.video, { name: 'Showreel 2026' });
await engine.remove('media', IDS.otherVideo);
await engine.setSaved('saved_profile', { ...cardOf(IDS.theirProfile), profile_type: profileType }, true);
await engine.setSaved('saved_profile', { ...cardOf(IDS.savedProfile), profile_type: profileType }, false);
await engine.setSaved(
  'saved_media',
  { id: IDS.theirVideo, media_type: 'youtube', name: 'Reel' } as unknown as Parameters<
    typeof engine.setSaved<'saved_media'>
  >[1],
  true,
);
await engine.connect({ userId: 'u5', name: 'Person u5' }, 'We met at the Ninasam workshop.');
await engine.accept({ userId: 'u2', name: 'Person u2' }, IDS.requestOfU2);
await engine.disconnect({ userId: 'u3', name: 'Person u3' }, 'decline', IDS.requestOfU3);
await engine.disconnect({ userId: 'u4', name: 'Person u4' }, 'remove', IDS.connectionToU4);
await engine.sendMessage(to, { message: 'Yes, from noon.' });
await engine.sendMessage(to, { message: 'This is the roof.' }, await importFile(engine, 3));
await engine.setConversationToggle('starred', { id: CHAT, name: 'Person u2' }, true);
await engine.setConversationToggle('pinned', { id: CHAT, name: 'Person u2' }, true);
await engine.markSeen([{ id: IDS.notification, created_at: new Date(0).toISOString() }]);
await engine.markRead(CHAT, 1);
await engine.update('project', IDS.castingProject, { synopsis: 'Two sisters walk home.' });
const film = await engine.create('project', null, {
  title: 'Harbor',
  type: 'film',
  time_zone: 'Asia/Kolkata',
  rule_pack: 'plain-courtesy',
});
const role = await engine.create('role', film.id, { name: 'The pilot' });
const terms = { instructions: 'Scene 3', deadline_at: '2026-03-09T12:00:00.000Z' };
await engine.createAll(
  'request',
  role.id,
  [IDS.theirProfile, IDS.savedProfile].map((profile_id) => ({ ...terms, profile_id, performer_name: 'Somebody' })),
);
const title = 'Naseem, The Salt Road';
const answer = { kind: 'pencil', text: 'We will call on Friday.' };
await engine.act({ type: 'request', id: IDS.requestToAnswer, act: 'answer', fields: answer, title });
const cast = { request_ids: [IDS.requestToCast], cast_text: 'You are in.', text: '' };
await engine.act({ type: 'role', id: IDS.roleToCast, act: 'cast', fields: cast, title });
await engine.act({ type: 'audition', id: IDS.audition, act: 'seen', fields: {}, title });
await engine.act({ type: 'audition', id: IDS.audition, act: 'confirm', fields: {}, title });
const takes = [
  { mediaId: await importFile(engine, 4, 'video'), name: 'Take 1', label: 'Wide' },
  { mediaId: await importFile(engine, 5, 'video'), name: 'Take 2', label: null },
];
const cv = { mediaId: await importFile(engine, 6, 'document'), name: 'cv.pdf' };
await engine.sendTape({ auditionId: IDS.audition, takes, cv, note: 'The second is slower.', noLinks: true, title });
const question = { auditionId: IDS.audition, userId: 'u2', name: 'Person u2' };
await engine.askQuestion({ ...question, text: 'Which accent does he have?' });
await engine.act({
  type: 'tape',
  id: IDS.tapeToMark,
  act: 'mark',
  fields: { grade: 'A', text: 'Listens well.' },
  title,
});
const columns = [{ id: 'finalists', name: 'Finalists' }];
await engine.act({ type: 'role', id: IDS.roleToAnswer, act: 'columns', fields: { columns }, title });
const performers = [
  { profile_id: IDS.theirProfile, user_id: 'u2', name: 'Person u2', title: 'Actor', profile_photo: null, slug: 'u2' },
];
await engine.addCandidates({ roleId: role.id, column: 'ideas', performers });
await engine.moveCandidates([{ id: IDS.candidateToMove, column: 'finalists', position: 'V' }]);
await engine.remove('candidate', IDS.candidateToRemove);
const token_hash = 'cd'.repeat(32);
await keepToken(db, token_hash, 'the-token-of-this-link');
const link = { name: 'Anand Rege', tape_ids: null, expires_at: '2026-03-07T12:00:00.000Z', watermark: 'Anand Rege' };
await engine.create('link', IDS.roleToCast, { ...link, token_hash, code_hash: null });
await engine.update('link', IDS.linkToRename, { name: 'The producers' });
await engine.act({ type: 'link', id: IDS.linkToRevoke, act: 'revoke', title: 'Link 3' });
await engine.createAll('project_member', film.id, [{ user_id: 'u6', role: 'viewer', name: 'Person u6' }]);
await engine.update('project_member', IDS.memberToChange, { role: 'editor' });
await engine.act({ type: 'project_member', id: IDS.invitation, act: 'join', title: 'The Ferry' });
const pencil = { state: 'pencilled', note: 'The Ferry', expires_at: null, request_id: null } as const;
await engine.act({
  type: 'availability',
  act: 'set',
  days: [
    { date: '2026-03-05', ...pencil },
    { date: '2026-03-06', ...pencil, state: 'booked' },
  ],
});
await db.drafts.put({ key: `skill:${IDS.profile}:new`, values: { name: 'Stage combat' }, at: RECORDED_AT });

// The page dies while requests are under way.
connection.mode = 'silent';
void engine.drain(60_000);
for (let turn = 0; turn < 200; turn += 1) await new Promise((resolve) => setImmediate(resolve));

const tables = await readTables(db);
const writes = [...connection.writes];

// The expectation: the same store, sent by the build that recorded it.
const later = connect(scene);
const sent = createDevice(db, { transport: later.transport, now: RECORDED_AT + 3_600_000, prng });
for (let round = 0; round < 10; round += 1) await sent.drain(60_000);
const rest = await db.outbox.toArray();
if (rest.length !== 1 || rest[0]?.state !== 'attention') throw new Error(`Not sent: ${JSON.stringify(rest)}`);

const file = new URL(`stores/${name}.json`, import.meta.url);
writeFileSync(
  file,
  toText({ userId: USER, version: db.verno, tables, writes, records: describeRecords(scene.server, PARTS) }),
);
console.log(`${file.pathname}: ${String(tables['outbox']?.rows.length)} rows`);
process.exit(0);
