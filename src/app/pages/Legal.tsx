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
        Your name, your e-mail, your date of birth, your password in a scrambled form that nobody can read, and what you
        add to your profiles: details, credits, skills, media and messages. For each device you sign in on, we keep its
        type, the country that its clock or language suggests, and when it was last used. We keep which version of the
        terms and of this text you agreed to, and when.
      </p>
      <h2>E-mail from us</h2>
      <p>
        We write to you when you sign up, when you ask for a new password, and when something important happens to your
        account, such as a new device. If no device of yours takes news, we tell you by e-mail how much there is, but
        not what. You can switch off the e-mails about new devices and about news in Settings. The text of an e-mail is
        deleted a week after it was sent, and the record of it after 90 days.
      </p>
      <h2>Notifications</h2>
      <p>
        If you switch notifications on, they travel through the push service of your browser’s maker. It sees when you
        get one, but cannot read it: each is encrypted for your device.
      </p>
      <h2>Who sees it</h2>
      <p>
        An active profile is public: anyone with its address can open it. Others see your playing age, but not your date
        of birth. In Settings you choose whether people you are not connected with see phone numbers, e-mail addresses
        and, if they are signed in, your day rate, and whether search engines list your page. If you switch a profile to
        inactive, only you can see it and its pictures. Industry Insights is open to everyone. It counts active profiles
        in groups of at least five people and rounds the figures.
      </p>
      <h2>Under 18</h2>
      <p>
        The page of somebody under 18 is public only after a parent or guardian has agreed, by e-mail. We keep the
        address of the guardian and the answer with the account. Also then, only connections see contacts and the day
        rate, strangers cannot write to them, and search engines are told not to list the page. The guardian can
        withdraw at any time. If you correct your date of birth in a way that ends this protection, the people who run
        this Callboard see both dates and decide.
      </p>
      <h2>Reports</h2>
      <p>
        If somebody reports you, or something of yours, the people who run this Callboard read the report with a copy of
        what it is about, and your profile. They keep reports for a year after they decided, and a list of their
        decisions for good.
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
      <h2>Your age</h2>
      <p>
        Tell us when you were born, and be honest about it. If you are under 18, you need a parent or guardian who
        agrees. Young children use the e-mail of their guardian.
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
