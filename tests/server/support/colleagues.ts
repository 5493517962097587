import type { Member, MemberRole } from '#contract/records/members.ts';
import { addProfile, connect } from './people.ts';
import type { Person, TestServer } from './test-server.ts';

/** Colleagues of people who cast. */
export function colleagueCalls(testServer: TestServer) {
  const send = (person: Person, request: string, body?: object) =>
    testServer.call<{ message: string; data: Member; errors?: Record<string, string[]> }>(request, {
      token: person.token,
      body,
    });

  /** Somebody who is connected with the owner. */
  async function addConnection(owner: Person, name: string): Promise<Person & { profileId: string }> {
    const person = await testServer.join(name);
    const { id: profileId } = await addProfile(testServer, person);
    await connect(testServer, owner, person);
    return { ...person, profileId };
  }

  const invite = (owner: Person, projectId: string, { id }: Pick<Person, 'id'>, role: MemberRole = 'rate') =>
    send(owner, 'POST /casting/members', { project_id: projectId, user_id: id, role });

  const answer = (person: Person, memberId: string, act: 'accept' | 'decline' | 'leave') =>
    send(person, `POST /casting/members/${memberId}/${act}`, {});

  /** Somebody whom the owner invited, and the id of the invitation. */
  async function addInvited(owner: Person, projectId: string, role: MemberRole = 'rate', name = 'Noor Haddad') {
    const person = await addConnection(owner, name);
    const invited = await invite(owner, projectId, person, role);
    if (invited.status !== 201) throw new Error(`Not invited: ${invited.text}`);
    return { ...person, memberId: invited.body.data.id };
  }

  /** Somebody who works in the project, and the id of their place in it. */
  async function addColleague(owner: Person, projectId: string, role: MemberRole = 'rate', name = 'Noor Haddad') {
    const invited = await addInvited(owner, projectId, role, name);
    const accepted = await answer(invited, invited.memberId, 'accept');
    if (accepted.status !== 200) throw new Error(`Not accepted: ${accepted.text}`);
    return invited;
  }

  const remove = (owner: Person, memberId: string) => send(owner, `DELETE /casting/members/${memberId}`);

  return { send, addConnection, invite, answer, addInvited, addColleague, remove };
}
