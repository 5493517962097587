import { Prose } from './Prose.tsx';

export function Privacy() {
  return (
    <Prose title="Privacy Policy">
      <h2>Who is responsible</h2>
      <p>
        This Callboard is run by the people who invited you: a company, a school, a group of friends. They alone hold
        the data described below. If you have questions, ask them.
      </p>
      <h2>What we keep</h2>
      <p>
        Your name, your e-mail, your password in a scrambled form that nobody can read, and what you add to your
        profiles: details, credits, skills, media and messages. For each device you sign in on, we keep its type, the
        country that its clock or language suggests, and when it was last used.
      </p>
      <h2>E-mail from us</h2>
      <p>
        We write to you when you sign up, when you ask for a new password, and when something important happens to your
        account, such as a new device. You can switch off the e-mails about new devices in Settings. The text of an
        e-mail is deleted a week after it was sent, and the record of it after 90 days.
      </p>
      <h2>Who sees it</h2>
      <p>
        An active profile is public: anyone with its address can open it. Only you see your date of birth; others see
        your playing age. Only signed-in members see your day rate. If you switch a profile to inactive, only you can
        see it and its pictures. Industry Insights is open to everyone. It counts active profiles in groups of at least
        five people and rounds the figures.
      </p>
      <h2>Pictures</h2>
      <p>Before a picture is stored, we remove its location, camera and other hidden details.</p>
      <h2>On your device</h2>
      <p>
        A copy of your profiles and everything still waiting to be sent stays on your device, so that you can work
        without signal. Signing out removes it, unless you choose to keep unsent changes there. The server knows how
        many changes wait on each device, of which kinds and since which hour, but not what is in them, so that it can
        tell you if a browser deletes them. It forgets this after 180 days at most.
      </p>
      <h2>Downloading and deleting</h2>
      <p>
        In Settings you can download everything as a ZIP file or delete your account at any time. Deleting removes all
        your data from the server at once. Copies in backups disappear as the backups are replaced.
      </p>
      <h2>What we don’t do</h2>
      <p>No advertising, no tracking, no other company’s scripts. We don’t sell your data or pass it on.</p>
    </Prose>
  );
}

export function Terms() {
  return (
    <Prose title="Terms & Conditions">
      <h2>Your work stays yours</h2>
      <p>
        Everything you add belongs to you. You allow us to store it and to show it to the people you choose. That
        permission ends when you delete it.
      </p>
      <h2>Be yourself</h2>
      <p>
        Only create profiles of yourself, with credits you have earned. Only add pictures, recordings and words you have
        the right to use.
      </p>
      <h2>Be respectful</h2>
      <p>No threats, no hate, nothing illegal. We take down profiles that harm others.</p>
      <h2>What you can rely on</h2>
      <p>
        A change marked ‘Saved’ is stored on the server. A change marked ‘On this phone’ is only on your device until it
        is sent, so don’t clear your browser’s data before then.
      </p>
    </Prose>
  );
}
