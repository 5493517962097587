import { type Trouble, watchTrouble } from './trouble.ts';

const COUNT_IN_SECONDS = 3;

interface CountIn {
  onCount(left: number): void;
  onDone(): void;
  /** It was canceled, by what would end a take. */
  onTrouble(reason: Trouble): void;
}

/**
 * Counts in. What would end a take cancels it, so that no take begins without a picture or without sound.
 * @returns cancels it
 */
export function countIn(stream: MediaStream, { onCount, onDone, onTrouble }: CountIn): () => void {
  const control = new AbortController();
  let timer: ReturnType<typeof setTimeout>;
  const cancel = () => {
    clearTimeout(timer);
    control.abort();
  };
  const count = (left: number) => {
    if (left === 0) {
      cancel();
      return onDone();
    }
    onCount(left);
    timer = setTimeout(() => count(left - 1), 1000);
  };
  count(COUNT_IN_SECONDS);
  const handleTrouble = (reason: Trouble) => {
    cancel();
    onTrouble(reason);
  };
  watchTrouble(stream, handleTrouble, control.signal);
  return cancel;
}
