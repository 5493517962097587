import { Link } from '#ui/router.tsx';
import { Prose } from './Prose.tsx';

export function Support() {
  return (
    <Prose title="Support">
      <p>
        How things are done is in{' '}
        <Link to="/help" className="font-semibold text-primary underline">
          Help
        </Link>
        . Here is what to do when something is not working.
      </p>
      <h2>A change is not being sent</h2>
      <p>
        Open{' '}
        <Link to="/waiting" className="font-semibold text-primary underline">
          Waiting to send
        </Link>{' '}
        and tap Try now. Changes that need you are at the top, with what you can do. Callboard never throws anything
        away without you. If a browser clears its storage, we tell you what never arrived, as far as we know.
      </p>
      <h2>You have been signed out</h2>
      <p>Sign in again on the same device. Unsent changes are still there and will be sent.</p>
      <h2>You forgot your password</h2>
      <p>
        On the sign-in page, tap Forgot your password? We send you a link to choose a new one. If you can’t read that
        e-mail any more, ask the people who run this Callboard.
      </p>
      <h2>You lost or sold a phone</h2>
      <p>
        Settings lists every device you are signed in on and what is still waiting there. You can sign it out from any
        other device.
      </p>
      <h2>The app takes up too much space</h2>
      <p>
        In{' '}
        <Link to="/settings" className="font-semibold text-primary underline">
          Settings
        </Link>{' '}
        you can see how much it keeps on this device and whether your browser may clear it.
      </p>
      <h2>You see an error with a number</h2>
      <p>Send the number to the people who run this Callboard. It helps them find out what happened.</p>
    </Prose>
  );
}
