import { Check, CircleDashed, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { PUSH_CALLS } from '#contract/push-calls.ts';
import type { PushHop, PushTestRecord } from '#contract/records/push.ts';
import { call } from '#net/client.ts';
import { Button } from '#ui/Button.tsx';

const POLL_MS = 1000;
/** A push that has not arrived by then has probably been held back by the system. */
const GIVE_UP_MS = 30_000;

const STATES = {
  ok: { icon: Check, color: 'text-saved', word: 'Works: ' },
  failed: { icon: X, color: 'text-error', word: 'Does not work: ' },
  waiting: { icon: CircleDashed, color: 'text-muted', word: 'Not known yet: ' },
};
const stateOf = (ok: boolean | null) => (ok === null ? 'waiting' : ok ? 'ok' : 'failed');

async function checkDevice(): Promise<PushHop[]> {
  const isAllowed = Notification.permission === 'granted';
  const registration = await navigator.serviceWorker.getRegistration();
  const hasWorker = registration?.active != null;
  return [
    {
      hop: 'permission',
      ok: isAllowed,
      words: isAllowed
        ? 'This browser allows notifications.'
        : 'This browser does not allow notifications of Callboard.',
    },
    {
      hop: 'worker',
      ok: hasWorker,
      words: hasWorker
        ? 'The part of the app that shows them runs.'
        : 'The app is not installed completely. Reload the page.',
    },
  ];
}

const NOT_ARRIVED: PushHop = {
  hop: 'arrived',
  ok: false,
  words: 'It has not arrived. Check that the system allows notifications of this browser, and its battery saver.',
};

/** Sends a notification to this device and shows how far it comes. */
export function PushTest() {
  const [hops, setHops] = useState<PushHop[] | null>(null);
  const [test, setTest] = useState<{ id: string; own: PushHop[]; startedAt: number } | null>(null);

  const begin = async () => {
    const own = await checkDevice();
    setHops(own);
    if (own.some(({ ok }) => ok === false)) return;
    const answer = await call<PushTestRecord>(PUSH_CALLS.testPush);
    if (!answer.ok) return setHops([...own, { hop: 'our server', ok: false, words: answer.error.message }]);
    setHops([...own, ...answer.data.hops]);
    if (answer.data.id !== null) setTest({ id: answer.data.id, own, startedAt: Date.now() });
  };

  useEffect(() => {
    if (test === null) return;
    const timer = setInterval(() => {
      void call<PushTestRecord>(PUSH_CALLS.pushTest, { params: { id: test.id } }).then((answer) => {
        const isLate = Date.now() - test.startedAt > GIVE_UP_MS;
        const found = answer.ok ? answer.data.hops : [];
        const isOver = found.some(({ ok }) => ok === false) || found.every(({ ok }) => ok === true);
        if (answer.ok)
          setHops([
            ...test.own,
            ...found.map((each) => (isLate && each.hop === 'arrived' && !each.ok ? NOT_ARRIVED : each)),
          ]);
        if (isLate || (answer.ok && isOver)) setTest(null);
      });
    }, POLL_MS);
    return () => clearInterval(timer);
  }, [test]);

  return (
    <div className="pb-3">
      <Button look="line" aria-disabled={test !== null} onClick={() => test === null && void begin()}>
        {test === null ? 'Send a test' : 'Testing…'}
      </Button>
      {hops !== null && (
        <ul className="mt-2 text-sm" aria-live="polite">
          {hops.map(({ hop, ok, words }) => {
            const { icon: Icon, color, word } = STATES[stateOf(ok)];
            return (
              <li key={hop} className="flex items-start gap-2 py-1">
                <Icon className={`ic mt-0.5 shrink-0 ${color}`} aria-hidden />
                <span>
                  <span className="sr-only">{word}</span>
                  {words}
                </span>
              </li>
            );
          })}
        </ul>
      )}
    </div>
  );
}
