import { addPhoto } from '../e2e/support/media-factory.ts';
import { type Person, getProfilePath, connect, makePerson, makeProfile } from '../e2e/support/people.ts';
import type { Prng } from '../sync/simulation/prng.ts';
import { createPrng, mixSeed } from '../sync/simulation/prng.ts';
import { SHARED_CREDIT } from './actions.ts';
import { Ledger } from './ledger.ts';
import type { Stranger } from './player.ts';

/** A person whose changes the test tracks in a ledger. */
export interface Member {
  person: Person;
  profileId: string;
  ledger: Ledger;
  strangers: Stranger[];
}

/** What one of the two browsers starts with. */
export interface BrowserSetup {
  name: 'phone' | 'desktop';
  member: Member;
  friend: Member;
  ownField: 'Role' | 'Director';
  prng: Prng;
  toSave: Stranger[];
  toConnect: Stranger[];
  toAccept: Stranger[];
}

export interface Participants {
  members: Member[];
  browsers: BrowserSetup[];
  conversation: string;
  /** A member without a browser, who writes to the member at both browsers. */
  writer: Member | null;
}

async function makeMember(url: string): Promise<Member> {
  const person = await makePerson(url);
  const facts = { title: 'Actor', location: 'Delhi' };
  const profileId = String((await makeProfile(person, facts)).id);
  const ledger = new Ledger();
  ledger.addInitial('profile', 'title', facts.title);
  ledger.addInitial('profile', 'city', facts.location);
  const credit = { experience_title: SHARED_CREDIT, details: 'Meera', production_details: 'Devika Rao' };
  const months = { start_month: 3, start_year: 2024, end_month: 3, end_year: 2024 };
  const body = { profile_id: profileId, experience_type: 'Theatre', ...credit, ...months };
  const made = await person.call('POST', '/profile/experience', body);
  if (made.status !== 201) throw new Error(`Making a credit answered ${made.status}: ${JSON.stringify(made.body)}`);
  ledger.addInitial('role in', SHARED_CREDIT, credit.details);
  ledger.addInitial('director of', SHARED_CREDIT, credit.production_details);
  return { person, profileId, ledger, strangers: [] };
}

async function makeStranger(url: string): Promise<Stranger> {
  const person = await makePerson(url);
  const profileId = String((await makeProfile(person)).id);
  return { person, profileId, address: await getProfilePath(person, profileId) };
}

/** Creates strangers for one browser, so that two browsers of a member never act on the same person. */
async function makeBrowserSetup(
  url: string,
  part: Omit<BrowserSetup, 'toSave' | 'toConnect' | 'toAccept'>,
): Promise<BrowserSetup> {
  const make = async (count: number) => {
    const strangers: Stranger[] = [];
    for (let made = 0; made < count; made += 1) strangers.push(await makeStranger(url));
    return strangers;
  };
  const { member } = part;
  const full = { ...part, toSave: await make(2), toConnect: await make(2), toAccept: await make(2) };
  for (const { person, profileId } of full.toSave) await addPhoto(person, url, profileId, 'On stage');
  for (const { person } of full.toAccept) {
    await person.call('POST', `/connections/request/${member.person.id}`);
    member.ledger.addInitial('connection', person.name, 'asked');
  }
  member.strangers.push(...full.toSave, ...full.toConnect, ...full.toAccept);
  return full;
}

/**
 * Creates the people of a round by API. With odd seeds one member uses both browsers, and a friend without a browser writes
 * to them. With even seeds two members write to each other.
 */
export async function makeParticipants(url: string, seed: number): Promise<Participants> {
  const [one, other] = [await makeMember(url), await makeMember(url)];
  const { conversation } = await connect(one.person, other.person);
  one.ledger.addInitial('connection', other.person.name, 'accepted');
  other.ledger.addInitial('connection', one.person.name, 'accepted');
  const isOneMember = seed % 2 === 1;
  const second = isOneMember ? one : other;
  const browsers = [
    await makeBrowserSetup(url, {
      name: 'phone',
      member: one,
      friend: other,
      ownField: 'Role',
      prng: createPrng(mixSeed(seed, 'phone')),
    }),
    await makeBrowserSetup(url, {
      name: 'desktop',
      member: second,
      friend: isOneMember ? other : one,
      ownField: 'Director',
      prng: createPrng(mixSeed(seed, 'desktop')),
    }),
  ];
  return { members: [one, other], browsers, conversation, writer: isOneMember ? other : null };
}
