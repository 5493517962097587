import { Link } from 'react-router-dom';
import { Prose } from './Prose.tsx';

export function Support() {
  return (
    <Prose title="Support">
      <h2>Something waits and does not go out</h2>
      <p>
        Open{' '}
        <Link to="/waiting" className="font-semibold text-primary underline">
          Waiting to send
        </Link>{' '}
        and tap Try now. What needs you stands on top, with its ways out. Nothing is thrown away by itself.
      </p>
      <h2>Signed out by surprise</h2>
      <p>Sign in again on the same device. Unsent changes are still there and go out by themselves.</p>
      <h2>Forgot your password</h2>
      <p>
        Whoever runs this Callboard can set a new one for you. Nobody can read the old one. Once you are in, change it
        under Settings.
      </p>
      <h2>A phone is lost or sold</h2>
      <p>Settings shows every device you are signed in on and what still waits there. Sign it out from any other.</p>
      <h2>The app takes up room</h2>
      <p>
        Under{' '}
        <Link to="/settings" className="font-semibold text-primary underline">
          Settings
        </Link>{' '}
        you see how much it keeps on this device and whether the browser may clear it.
      </p>
      <h2>An error with a number</h2>
      <p>Pass the number on to whoever runs this Callboard for you: it finds the place in the records.</p>
    </Prose>
  );
}
