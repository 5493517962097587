import { randomUUID } from 'node:crypto';
import type { SignedIn } from '#contract/records/account.ts';
import { mailboxOf } from './mailbox.ts';
import type { Person, TestServer } from './test-server.ts';
import { ADULT } from '../../support/adult.ts';

const PASSWORD = 'the prompter never sleeps';

/** People who sign up as in the app, with an age. */
export function newcomersOf(testServer: TestServer) {
  const { readToken } = mailboxOf(testServer);

  /** Registers a person. @param details what the form sends beside name, e-mail and password */
  async function register(details: object = ADULT, name = 'Noor Rahman') {
    const email = `noor-${randomUUID().slice(0, 8)}@callboard.example`;
    const body = { name, email, password: PASSWORD, ...details };
    const answer = await testServer.call<SignedIn>('POST /register', { body });
    if (answer.status !== 201) throw new Error(`Not registered: ${answer.text}`);
    const { token, user } = answer.body;
    return { name, email: user.email, password: PASSWORD, id: user.id, token, asks: user.asks };
  }

  const confirm = async (person: Pick<Person, 'email'>) =>
    testServer.call('POST /email/verify', { body: { token: await readToken(person, 'verify') } });

  /** The day on which somebody was born who is this old today, or so many days off that. */
  function bornYearsAgo(years: number, offDays = 0): string {
    const today = testServer.clock.now();
    const day = new Date(Date.UTC(today.getUTCFullYear() - years, today.getUTCMonth(), today.getUTCDate() + offDays));
    return day.toISOString().slice(0, 10);
  }

  /** Registers a minor with a guardian who has not answered, and a confirmed address. */
  async function addMinor(name = 'Mina Rahman', bornOn = bornYearsAgo(15)) {
    const guardian = { email: `parent-${randomUUID().slice(0, 8)}@callboard.example` };
    const person = await register({ ...ADULT, born_on: bornOn, guardian_email: guardian.email }, name);
    await confirm(person);
    return { ...person, guardian };
  }

  /** Answers for a guardian with the newest link of this kind. */
  const decide = async (guardian: Pick<Person, 'email'>, agree: boolean, kind = 'guardian.ask') =>
    testServer.call('POST /guardian/decide', { body: { token: await readToken(guardian, kind), agree } });

  return { register, confirm, bornYearsAgo, addMinor, decide };
}
