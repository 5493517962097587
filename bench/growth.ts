import type pg from 'pg';
import { pino } from 'pino';
import { getMediaKind } from '#contract/media-kinds.ts';
import { makePerson, makeProfile, type Person } from '#tests/e2e/support/people.ts';
import { type AppServer, appServer } from '#tests/e2e/support/server.ts';
import { generateBoard, insertPeople } from './generated-board.ts';
import { atMost, type Figure, median, paired, ratioAtMost, spread, timed } from './figures.ts';
import { openBare } from './open-bare.ts';

const quiet = pino({ level: 'silent' });
/** People on the smallest board. */
const FEW = 2000;
const WARM_UP_CALLS = 30;
const CALLS = 15;

/** Adds the data of the people with these ids: media, connections, messages, notifications and sync records. */
async function addLives(pool: pg.Pool, first: number, last: number): Promise<void> {
  const run = (text: string) => pool.query(text, [first, last]);
  await run(
    `insert into media (user_id, profile_id, media_type, name, created_at, updated_at)
     select user_id, id, 'image', 'Photo ' || n, now(), now() from profiles, generate_series(1, 4) n
     where user_id between $1 and $2`,
  );
  await run(
    `insert into connections (sender_id, receiver_id, status, created_at, updated_at)
     select least(one, other), greatest(one, other), case when n % 5 = 0 then 'pending' else 'accepted' end,
       now() - n * interval '1 day', now() from (
         select one, n, $1 + (one * 7919 + n * 104729) % ($2 - $1 + 1) as other
         from generate_series($1::bigint, $2) one, generate_series(1, 5) n) pairs
     join users a on a.id = one join users b on b.id = other
     where one <> other on conflict do nothing`,
  );
  await run(
    `insert into conversations (connection_id, first_id, second_id, last_seq, created_at)
     select id, sender_id, receiver_id, 6, now() from connections
     where status = 'accepted' and sender_id between $1 and $2 on conflict do nothing`,
  );
  await run(
    `insert into conversation_members (conversation_id, user_id, read_seq, delivered_seq)
     select id, unnest(array[first_id, second_id]), 3, 6 from conversations where first_id between $1 and $2
     on conflict do nothing`,
  );
  await run(
    `insert into messages (conversation_id, seq, sender_id, receiver_id, message, created_at)
     select id, n, case n % 2 when 0 then first_id else second_id end, case n % 2 when 0 then second_id else first_id end,
       'What time is the call on day ' || n || '?', now() - (7 - n) * interval '1 day'
     from conversations, generate_series(1, 6) n where first_id between $1 and $2 on conflict do nothing`,
  );
  await run(
    `insert into notifications (user_id, actor_id, type, subject_id, data, read_at, created_at)
     select receiver_id, sender_id, 'connection.requested', id, '{"connection_id": "1"}',
       case when id % 2 = 0 then now() end, now() from connections where sender_id between $1 and $2 on conflict do nothing`,
  );
  await run(
    `insert into sync_records (user_id, type, record_id, parent, seq)
     select user_id, type::sync_type, record_id, parent,
       row_number() over (partition by user_id order by type, record_id) from (
         select user_id, 'profile' as type, id as record_id, null::bigint as parent from profiles where user_id between $1 and $2
         union all select user_id, section, id, profile_id from section_rows where user_id between $1 and $2
         union all select user_id, 'media', id, profile_id from media where user_id between $1 and $2
         union all select sender_id, 'message', id, null from messages where sender_id between $1 and $2
         union all select receiver_id, 'message', id, null from messages where receiver_id between $1 and $2
         union all select sender_id, 'connection', id, null from connections where sender_id between $1 and $2
         union all select user_id, 'notification', id, null from notifications where user_id between $1 and $2
       ) as all_of_it on conflict do nothing`,
  );
  await run(
    `update users set sync_seq = coalesce((select max(seq) from sync_records where user_id = users.id), 0)
     where id between $1 and $2`,
  );
}

/**
 * Measures the sync feed: bytes of each row with its indexes, and the share of the database. Beside it stand the same rows
 * with types and ids as text, in a table with a key and an index in order.
 */
async function measureFeed(pool: pg.Pool): Promise<{ bytes: number; bytesAsText: number; share: number }> {
  await pool.query(
    `create table feed_as_text (user_id bigint, type text, record_id text, parent text, seq bigint, deleted_at timestamptz,
       primary key (user_id, type, record_id))`,
  );
  await pool.query('create index on feed_as_text (user_id, seq)');
  await pool.query(
    `insert into feed_as_text select user_id, type::text, record_id::text, coalesce(parent, conversation_id)::text, feed.seq
     from sync_records feed left join messages on feed.type = 'message' and messages.id = feed.record_id order by feed.ctid`,
  );
  const { rows } = await pool.query<{ bytes: number; as_text: number; share: number }>(
    `select pg_total_relation_size('sync_records')::float8 / count(*) as bytes,
       pg_total_relation_size('feed_as_text')::float8 / count(*) as as_text,
       100 * pg_total_relation_size('sync_records')::float8
         / (pg_database_size(current_database()) - pg_total_relation_size('feed_as_text')) as share from sync_records`,
  );
  await pool.query('drop table feed_as_text');
  const { bytes, as_text: bytesAsText, share } = rows[0]!;
  return { bytes, bytesAsText, share };
}

const TIES = 100;
const LONG_TALK = 5000;

/** Adds a person with a hundred connections and years of messages with one of them. */
async function makeBusyPerson(
  server: AppServer,
  pool: pg.Pool,
  others: number,
): Promise<Person & { profileId: string }> {
  const person = await makePerson(server.url);
  const { id: profileId } = await makeProfile(person, { location: 'Mumbai, India' });
  const me = Number(person.id);
  await pool.query(
    `insert into connections (sender_id, receiver_id, status, created_at, updated_at)
     select id, $1, 'accepted', now(), now() from users where id >= $2 order by id limit $3`,
    [me, others, TIES],
  );
  await pool.query(
    `insert into conversations (connection_id, first_id, second_id, last_seq, created_at)
     select id, sender_id, receiver_id, case when sender_id = min(sender_id) over () then $2::int else 6 end, now() from connections where receiver_id = $1`,
    [me, LONG_TALK],
  );
  await pool.query(
    `insert into conversation_members (conversation_id, user_id)
     select id, unnest(array[first_id, second_id]) from conversations where second_id = $1`,
    [me],
  );
  await pool.query(
    `insert into messages (conversation_id, seq, sender_id, receiver_id, message, created_at)
     select id, n, first_id, second_id, 'Line ' || n, now() from conversations, lateral generate_series(1, last_seq) n
     where second_id = $1`,
    [me],
  );
  await pool.query(
    `insert into sync_records (user_id, type, record_id, parent, seq)
     select $1, type::sync_type, record_id, null, (select sync_seq from users where id = $1) + row_number() over () from (
       select 'message' as type, id as record_id from messages where receiver_id = $1
       union all select 'connection', id from connections where receiver_id = $1
       union all select 'conversation', id from conversations where second_id = $1
     ) as all_of_it`,
    [me],
  );
  await pool.query('update users set sync_seq = (select max(seq) from sync_records where user_id = $1) where id = $1', [
    me,
  ]);
  return { ...person, profileId: String(profileId) };
}

interface Waited {
  name: string;
  /** Milliseconds at each board size. */
  ms: number[][];
  call(): Promise<void>;
}

/** The calls that people wait for, made by a person whose own data are the same at every board size. */
function waitedFor(server: AppServer, person: () => Person & { profileId: string }): Omit<Waited, 'ms'>[] {
  const get = async (path: string) => {
    const { status, body } = await person().call<unknown>('GET', path);
    if (status !== 200) throw new Error(`${path} was answered ${status}`);
    return body;
  };
  const reads: [string, () => string][] = [
    ['first page of the first pull', () => '/sync'],
    ['conversations', () => '/conversations'],
    ['notifications', () => '/notifications'],
    ['connections', () => '/connections/accepted'],
    ['suggestions', () => '/connections/suggested'],
    ['a profile', () => `/profile/details/${person().profileId}`],
    ['its credits', () => `/profile/experiences/${person().profileId}`],
    ['its photos', () => `${getMediaKind('image')!.list.path}?profile_id=${person().profileId}`],
    ['search without words', () => '/search'],
    ['search for “india”', () => '/search?q=india'],
    ['search for actors of Mumbai', () => '/search?q=actor&location=Mumbai'],
    ['search of everybody active', () => '/search?active=1'],
    ['insights', () => '/insights'],
  ];
  return [
    ...reads.map(([name, pathOf]) => ({ name, call: async () => void (await get(pathOf())) })),
    {
      name: 'the whole first pull',
      call: async () => {
        let page: { cursor: string; has_more: boolean } = { cursor: '', has_more: true };
        while (page.has_more) page = (await get(`/sync${page.cursor && `?cursor=${page.cursor}`}`)) as typeof page;
      },
    },
  ];
}

/**
 * Measures these calls on boards that grow tenfold: the cost of a call must not grow with the data of other people.
 * @param factors board sizes in units of 2,000 people, ascending
 */
export async function measureGrowth({ factors }: { factors: readonly number[] }): Promise<Figure[]> {
  const server = await appServer();
  await server.start();
  let person!: Person & { profileId: string };
  const waited: Waited[] = waitedFor(server, () => person).map((each) => ({ ...each, ms: [] }));
  const deletions: number[] = [];
  const feeds: Awaited<ReturnType<typeof measureFeed>>[] = [];
  try {
    const pool = await openBare(server);
    const people = generateBoard(FEW * Math.max(...factors));
    let laidOut = 0;
    for (const factor of factors) {
      const first = Number((await pool.query('select coalesce(max(id), 0) + 1 as id from users')).rows[0]?.id);
      await insertPeople(pool, people.slice(laidOut, FEW * factor), quiet, laidOut);
      const last = Number((await pool.query('select max(id) as id from users')).rows[0]?.id);
      await addLives(pool, first, last);
      laidOut = FEW * factor;
      person = await makeBusyPerson(server, pool, first);
      const leaving = await makeBusyPerson(server, pool, first + 2 * TIES);
      // The photos above are the same for everybody. Without this, the calls would run beside the search indexer.
      await pool.query('delete from search_queue');
      feeds.push(await measureFeed(pool));
      await pool.query('vacuum analyze');
      await pool.query('checkpoint').catch(() => undefined);
      for (const each of waited) {
        // These calls fill the caches and let the server compile its code, so that the first board is not measured cold.
        for (let call = 0; call < WARM_UP_CALLS; call += 1) await each.call();
        const times: number[] = [];
        for (let call = 0; call < CALLS; call += 1) times.push(await timed(each.call));
        each.ms.push(times);
      }
      deletions.push(
        await timed(async () => {
          const { status } = await leaving.call('DELETE', '/account', { password: leaving.password });
          if (status !== 200) throw new Error(`Deleting an account was answered ${status}`);
        }),
      );
    }
    await pool.end();
  } finally {
    await server.dispose();
  }
  const sizes = factors.map((factor) => (factor * FEW).toLocaleString('en'));
  const part = `What others have on the board, from ${sizes[0]} people to ${sizes.at(-1)}`;
  const figure = (name: string, ms: number[][]): Figure => ({
    part,
    name,
    unit: 'ms',
    value: spread(ms.at(-1)!),
    peer: { name: `with ${sizes[0]}`, value: spread(ms[0]!) },
    ratio: median(ms.at(-1)!) / median(ms[0]!),
  });
  return [
    ...waited.map(({ name, ms }) => ({ ...figure(name, ms), bar: ratioAtMost(1.5) })),
    {
      ...figure(
        'deleting an account of 100 connections and 5,594 messages',
        deletions.map((ms) => [ms]),
      ),
      bar: atMost(2000),
    },
    ...presentFeed(feeds, sizes),
  ];
}

function presentFeed(feeds: readonly Awaited<ReturnType<typeof measureFeed>>[], sizes: readonly string[]): Figure[] {
  const part = 'The sync feed';
  const [smallest, largest] = [feeds[0]!, feeds.at(-1)!];
  return [
    {
      part,
      name: `a record of a person, with ${sizes.at(-1)} people`,
      unit: 'B',
      ...paired([largest.bytes], { name: 'types and ids as text, plain indexes', runs: [largest.bytesAsText] }),
      bar: ratioAtMost(0.5),
    },
    {
      part,
      name: `share of the database, with ${sizes.at(-1)} people`,
      unit: '%',
      value: spread([largest.share]),
      peer: { name: `with ${sizes[0]}`, value: spread([smallest.share]) },
    },
  ];
}
