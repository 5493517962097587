import { Prose } from './Prose.tsx';

export function Privacy() {
  return (
    <Prose title="Privacy Policy">
      <h2>Who answers for it</h2>
      <p>
        Callboard runs on a server of the people who invited you here: a company, a school, a group of friends. They
        keep what stands below, nobody else does, and they are the ones to ask.
      </p>
      <h2>What is kept</h2>
      <p>
        Your name, your e-mail, a scrambled form of your password that nobody can read back, and what you put into your
        profiles: facts, credits, skills and pictures. For each device you sign in on, its kind and when it was last
        seen.
      </p>
      <h2>Who sees it</h2>
      <p>
        An active profile is public: anybody with its address can open it. Your date of birth is for you alone; others
        see your playing age. Your day rate is for signed-in people. Switch a profile to inactive and it exists for you
        alone, its pictures included. Industry Insights, which anybody can open, counts active profiles in groups of
        five people and more, and rounds what it counts.
      </p>
      <h2>Pictures</h2>
      <p>Place, camera and other hidden details are taken out of every picture before it is stored.</p>
      <h2>On your device</h2>
      <p>
        A copy of your own profiles and everything that waits to be sent stays on your device, so that you can work
        without signal. Signing out removes it, unless you choose to keep unsent changes there.
      </p>
      <h2>Taking it with you, taking it down</h2>
      <p>
        Under Settings you get all of it as one ZIP whenever you like, and there you can delete your account. Deleting
        takes everything of yours off the server at once; copies in the server’s own backups go as those are replaced.
      </p>
      <h2>What is not done</h2>
      <p>No advertising, no tracking, no other company’s scripts. Nothing is sold or passed on.</p>
    </Prose>
  );
}

export function Terms() {
  return (
    <Prose title="Terms & Conditions">
      <h2>Your work stays yours</h2>
      <p>
        Everything you put here belongs to you. You let us store it and show it to the people you chose, and that
        permission ends when you take it down.
      </p>
      <h2>Be who you are</h2>
      <p>
        Keep profiles of yourself, with credits you earned. Put up only pictures and words you have the right to use.
      </p>
      <h2>Be decent</h2>
      <p>No threats, no hate, nothing against the law. Profiles that do harm are taken down.</p>
      <h2>What you can rely on</h2>
      <p>
        A change that says ‘Saved’ is stored on the server. One that says ‘On this phone’ is only on your device until
        it is sent: do not clear your browser’s data before that.
      </p>
    </Prose>
  );
}
