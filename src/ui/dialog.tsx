import { useSyncExternalStore, type ReactNode } from 'react';
import { Questions } from './confirm.tsx';
import { showQuestionsBy } from './question-host.ts';
import { createSlot } from './slot.ts';

const shown = createSlot<ReactNode>(null);

/** Shows a dialog of the caller's own, such as a sheet, over whatever page is open. Resolves to what it closes with. */
export function showDialog<T>(render: (close: (result: T) => void) => ReactNode): Promise<T> {
  return new Promise((resolve) => {
    const close = (result: T) => {
      shown.set(null);
      resolve(result);
    };
    shown.set(render(close));
  });
}

function DialogAndQuestions() {
  const dialog = useSyncExternalStore(shown.subscribe, shown.get);
  return (
    <>
      {dialog}
      <Questions />
    </>
  );
}

// A dialog may ask questions of its own, which open above it.
showQuestionsBy(DialogAndQuestions);
